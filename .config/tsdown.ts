import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    'evm/index': 'src/evm/index.ts',
    'solana/index': 'src/solana/index.ts',
    'stellar/index': 'src/stellar/index.ts',
    'schema/index': 'src/schema/index.ts',
    'sandbox/index': 'src/sandbox/index.ts',
    'cli/index': 'src/cli/index.ts',
  },
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  dts: true,
  sourcemap: true,
  clean: true,
  outDir: 'dist',
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
})
