import { gzipSync } from 'node:zlib'
import { build, type Metafile, type Plugin } from 'esbuild'
import { root } from '../packages.ts'

export type Bundle = {
  /** Minified and gzipped, in kB of 1000 bytes, without on-demand files. */
  kB: number
  /** `kB`, plus the on-demand files that `onDemand` names. */
  allKB: number | undefined
  /** Minified bytes by source folder, such as `src/redeemkit/evm/creditPermit`. */
  folders: Readonly<Record<string, number>>
  imports: readonly string[]
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

/** Every package stays an import. Files of `onDemand` are measured as separate files. */
export async function ownCode(code: string, onDemand: readonly string[] = []): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    ...settings,
    stdin: { contents: code, resolveDir: root, loader: 'ts' },
    splitting: true,
    outdir: 'out',
    plugins: [onlyOurs(onDemand)],
  })
  const { outputs } = metafile
  const entry = entryOf(outputs)
  const atOnce = reachable(outputs, entry, (kind) => kind !== 'dynamic-import')
  const textOf = (path: string) => outputFiles.find((file) => file.path.endsWith(`/${path}`))?.text ?? ''
  const weigh = (paths: readonly string[]) => {
    const bytes = paths.map((path) => gzipSync(textOf(path), { level: 9 }).byteLength)
    return Math.round(bytes.reduce((sum, one) => sum + one, 0) / 10) / 100
  }
  const folders: Record<string, number> = {}
  for (const [path, { bytesInOutput }] of atOnce.flatMap((path) =>
    Object.entries(outputs[path]?.inputs ?? {}),
  )) {
    const folder = /^src\/(?:[^/]+\/){0,3}/.exec(path)?.[0].slice(0, -1) ?? path
    if (bytesInOutput > 0) folders[folder] = (folders[folder] ?? 0) + bytesInOutput
  }
  const all = reachable(outputs, entry)
  return {
    kB: weigh(atOnce),
    allKB: onDemand.length > 0 ? weigh(all) : undefined,
    folders,
    imports: all
      .flatMap((path) => outputs[path]?.imports ?? [])
      .flatMap(({ path, external }) => (external ? [path] : [])),
    text: all.map(textOf).join('\n'),
  }
}

/** Lists everything that is loaded, initially or on demand, packages included: `src/…` or `node_modules/…`. */
export async function everyFile(code: string): Promise<string[]> {
  const { metafile } = await build({
    ...settings,
    stdin: { contents: code, resolveDir: root, loader: 'ts' },
    splitting: true,
    outdir: 'out',
    conditions: ['module', 'browser'],
  })
  const { outputs } = metafile
  const files = reachable(outputs, entryOf(outputs)).flatMap((path) =>
    Object.entries(outputs[path]?.inputs ?? {}).flatMap(([path, { bytesInOutput }]) =>
      bytesInOutput > 0 ? [path] : [],
    ),
  )
  return [...new Set(files)]
}

function entryOf(outputs: Metafile['outputs']): string {
  const entry = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === '<stdin>')
  if (entry === undefined) throw new Error('The bundler wrote no file for this entry.')
  return entry
}

/** Follows imports from the entry, because esbuild also writes chunks of dropped code, which nothing loads. */
function reachable(
  outputs: Metafile['outputs'],
  entry: string,
  follows: (kind: string) => boolean = () => true,
): string[] {
  const seen = new Set([entry])
  // Iterating a set includes entries added meanwhile.
  for (const path of seen)
    for (const { path: next, kind } of outputs[path]?.imports ?? []) if (follows(kind)) seen.add(next)
  return [...seen].filter((path) => outputs[path] !== undefined)
}

/** `viem` of `node_modules/viem/_esm/index.js`; the innermost of nested packages. */
export function packageOf(path: string): string | undefined {
  return /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]
}

const onlyOurs = (onDemand: readonly string[]): Plugin => ({
  name: 'only-ours',
  setup(build) {
    build.onResolve({ filter: /./ }, ({ path, kind }) => {
      const isOurs = path.startsWith('.') || path.startsWith('/') || /^redeemkit(\/|$)/.test(path)
      const isWeighed = kind !== 'dynamic-import' || onDemand.includes(path)
      return kind === 'entry-point' || (isOurs && isWeighed) ? null : { path, external: true }
    })
  },
})
