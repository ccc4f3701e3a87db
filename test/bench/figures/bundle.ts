import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import type { Figure, Row } from '../figure.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Minified and gzipped size in kB (1000 bytes) of what a browser loads for these exports. */
export async function bundleSize(options: {
  code: string
  packages: 'bundle' | 'external'
}): Promise<number> {
  const result = await build({
    stdin: { contents: options.code, resolveDir: root, loader: 'ts' },
    tsconfig: `${root}tsconfig.json`,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    logLevel: 'silent',
    plugins: options.packages === 'external' ? [externalPackages] : [],
  })
  const [output] = result.outputFiles
  if (output === undefined) throw new Error('The bundler wrote nothing.')
  return Math.round(gzipSync(output.contents, { level: 9 }).byteLength / 10) / 100
}

/** Leaves every import out that is not ours, so that only our own code is weighed. */
const externalPackages = {
  name: 'external-packages',
  setup(build: import('esbuild').PluginBuild) {
    build.onResolve({ filter: /^[^.]/ }, ({ path, kind }) =>
      kind === 'entry-point' || /^redeemkit(\/|$)/.test(path) || path.startsWith('/')
        ? null
        : { path, external: true },
    )
  },
}

const frontDoor = "export { createPaymentsClient, redeem } from 'redeemkit'"

export const bundle: Figure = {
  name: 'bundle',
  about: 'what a browser loads, minified and gzipped',
  measure: async () => {
    const row = async (
      figure: string,
      goal: number,
      code: string,
      packages: 'bundle' | 'external',
    ): Promise<Row> => ({
      figure: `bundle: ${figure}`,
      value: await bundleSize({ code, packages }),
      goal,
      better: 'lower',
      unit: 'kB',
    })
    return [
      await row('{ createPaymentsClient, redeem }, own code', 10, frontDoor, 'external'),
      await row('{ createPaymentsClient, redeem }, with everything', 45, frontDoor, 'bundle'),
      await row('redeemkit/solana, own code', 6, "export * from 'redeemkit/solana'", 'external'),
      await row('redeemkit/stellar, own code', 6, "export * from 'redeemkit/stellar'", 'external'),
    ]
  },
}
