import { gzipSync } from 'node:zlib'
import { build, type Metafile, type Plugin } from 'esbuild'
import { root } from '../packages.ts'

/** What a browser's bundler makes of some exports of the sources. */
export type Bundle = {
  /** Minified and gzipped, in kB of 1000 bytes, without what is loaded on demand. */
  kB: number
  /** Minified bytes by source folder, such as `src/redeemkit/evm/creditPermit`. */
  folders: Readonly<Record<string, number>>
  /** Packages and built-ins that it imports. */
  imports: readonly string[]
  /** The bundle's text. */
  text: string
}

const settings = {
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
  jsx: 'automatic',
} as const

/** Our own code alone: every package stays an import. */
export async function ownCode(code: string): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    ...settings,
    stdin: { contents: code, resolveDir: root, loader: 'ts' },
    plugins: [onlyOurs],
  })
  const [file] = outputFiles
  const [output] = Object.values(metafile.outputs)
  if (file === undefined || output === undefined) throw new Error('The bundler wrote nothing.')
  const folders: Record<string, number> = {}
  for (const [path, { bytesInOutput }] of Object.entries(output.inputs)) {
    const folder = /^src\/(?:[^/]+\/){0,3}/.exec(path)?.[0].slice(0, -1) ?? path
    if (bytesInOutput > 0) folders[folder] = (folders[folder] ?? 0) + bytesInOutput
  }
  return {
    kB: Math.round(gzipSync(file.contents, { level: 9 }).byteLength / 10) / 100,
    folders,
    imports: output.imports.map(({ path }) => path),
    text: file.text,
  }
}

/**
 * Everything that is loaded, at once or on demand, packages included.
 *
 * @returns the paths of all files in the bundle, `src/…` or `node_modules/…`
 */
export async function everyFile(code: string): Promise<string[]> {
  const { metafile } = await build({
    ...settings,
    stdin: { contents: code, resolveDir: root, loader: 'ts' },
    splitting: true,
    outdir: 'out',
    conditions: ['module', 'browser'],
  })
  const { outputs } = metafile
  const entry = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === '<stdin>')
  if (entry === undefined) throw new Error('The bundler wrote no file for what was asked.')
  const files = reachable(outputs, entry).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  )
  return [...new Set(files)]
}

/** What a file leads to, itself included: esbuild writes chunks of dropped code as well, which nothing loads. */
function reachable(outputs: Metafile['outputs'], entry: string): Metafile['outputs'][string][] {
  const seen = new Set([entry])
  // A set gives what is added meanwhile, too.
  for (const path of seen) for (const { path: next } of outputs[path]?.imports ?? []) seen.add(next)
  return [...seen].flatMap((path) => outputs[path] ?? [])
}

/** `viem` of `node_modules/viem/_esm/index.js`, of nested ones the innermost. */
export function packageOf(path: string): string | undefined {
  return /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]
}

const onlyOurs: Plugin = {
  name: 'only-ours',
  setup(build) {
    build.onResolve({ filter: /./ }, ({ path, kind }) => {
      const isOurs = path.startsWith('.') || path.startsWith('/') || /^redeemkit(\/|$)/.test(path)
      return kind === 'entry-point' || (isOurs && kind !== 'dynamic-import') ? null : { path, external: true }
    })
  },
}
