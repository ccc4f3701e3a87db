import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import type { Figure, Part, Row } from '../figure.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

type Bundle = {
  /** Minified and gzipped, in kB of 1000 bytes. */
  size: number
  parts: readonly Part[]
}

async function bundleOf(options: { code: string; packages: Packages }): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: options.code, resolveDir: root, loader: 'ts' },
    absWorkingDir: root,
    tsconfig: `${root}tsconfig.json`,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    metafile: true,
    logLevel: 'silent',
    plugins: [onDemand, ...(options.packages === 'external' ? [externalPackages] : [])],
  })
  const [file] = outputFiles
  const [output] = Object.values(metafile.outputs)
  if (file === undefined || output === undefined) throw new Error('The bundler wrote nothing.')
  return {
    size: Math.round(gzipSync(file.contents, { level: 9 }).byteLength / 10) / 100,
    parts: heaviest(output.inputs),
  }
}

type Packages = 'bundle' | 'external'

/** Bundlers put dynamic imports into separate files, which load on demand. */
const onDemand = {
  name: 'on-demand',
  setup(build: import('esbuild').PluginBuild) {
    build.onResolve({ filter: /./ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path, external: true } : null,
    )
  },
}

/** Leaves out third-party imports, so that only redeemkit's own code is weighed. */
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

/** Lists the ten largest files of redeemkit and packages, and the rest of each folder combined. */
function heaviest(inputs: Readonly<Record<string, { bytesInOutput: number }>>): Part[] {
  const whole = sums(inputs, (path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path)
  const shown = new Set(whole.slice(0, 10).map(({ name }) => name))
  const rest = Object.fromEntries(
    whole.filter(({ name }) => !shown.has(name)).map(({ name, bytes }) => [name, { bytesInOutput: bytes }]),
  )
  const folders = sums(rest, (path) => `${/^src\/[^/]+/.exec(path)?.[0] ?? 'packages'}, the rest`)
  return [...whole.slice(0, 10), ...folders]
}

function sums(
  inputs: Readonly<Record<string, { bytesInOutput: number }>>,
  nameOf: (path: string) => string,
): Part[] {
  const bytes = new Map<string, number>()
  for (const [path, { bytesInOutput }] of Object.entries(inputs))
    if (bytesInOutput > 0) bytes.set(nameOf(path), (bytes.get(nameOf(path)) ?? 0) + bytesInOutput)
  return [...bytes].map(([name, sum]) => ({ name, bytes: sum })).sort((a, b) => b.bytes - a.bytes)
}

const client = "export { createPaymentsClient, redeem } from 'redeemkit'"
const solanaTransfer =
  "export { prepareUsdcTransfer, signUsdcTransfer, submitUsdcTransfer, confirmUsdcTransfer } from 'redeemkit/solana'"
const stellarTransfer = "export { usdcTransfer, signTransaction } from 'redeemkit/stellar'"

const extension = "export { inspect, formatInspection, disclosedIntentOf } from 'redeemkit/evm'"
const passkey = "export { passkeySigner } from 'redeemkit/tempo'"

/** Name, goal in kB, exports, and whether the packages that they need are weighed too. */
const measured: readonly (readonly [string, number, string, Packages])[] = [
  ['{ createPaymentsClient, redeem }, own code', 26, client, 'external'],
  ['{ createPaymentsClient, redeem }, with everything', 36, client, 'bundle'],
  ['inspect of redeemkit/evm in an extension, with everything', 16, extension, 'bundle'],
  ['redeemkit/solana, own code', 14, "export * from 'redeemkit/solana'", 'external'],
  ['redeemkit/solana, a transfer alone, own code', 10, solanaTransfer, 'external'],
  ['redeemkit/stellar, own code', 13, "export * from 'redeemkit/stellar'", 'external'],
  ['redeemkit/stellar, a transfer alone, own code', 9, stellarTransfer, 'external'],
  ['redeemkit/tempo, own code', 36, "export * from 'redeemkit/tempo'", 'external'],
  ['redeemkit/tempo, a passkey alone, own code', 10, passkey, 'external'],
]

export const bundle: Figure = {
  name: 'bundle',
  about:
    "what a browser loads, minified and gzipped; own code leaves out viem and the chain's SDK, which such a page has already",
  measure: async () => {
    const rows: Row[] = []
    for (const [figure, goal, code, packages] of measured) {
      const { size, parts } = await bundleOf({ code, packages })
      rows.push({ figure: `bundle: ${figure}`, value: size, goal, better: 'lower', unit: 'kB', parts })
    }
    return rows
  },
}
