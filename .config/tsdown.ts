import { fileURLToPath } from 'node:url'
import { defineConfig } from 'tsdown'

export default defineConfig({
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  entry: {
    index: 'src/index.ts',
    'evm/index': 'src/evm/index.ts',
    'tempo/index': 'src/tempo/index.ts',
    'solana/index': 'src/solana/index.ts',
    'stellar/index': 'src/stellar/index.ts',
    'schema/index': 'src/schema/index.ts',
    'sandbox/index': 'src/sandbox/index.ts',
    'cli/index': 'src/cli/index.ts',
  },
  format: 'esm',
  platform: 'node',
  target: 'es2022',
  // One file out for one in: what a browser does not import stays out of its bundle.
  unbundle: true,
  dts: true,
  sourcemap: true,
  clean: true,
  outDir: 'dist',
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
})
