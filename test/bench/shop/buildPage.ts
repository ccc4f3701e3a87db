import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'

const root = fileURLToPath(new URL('../../..', import.meta.url))

export type BuiltPage = {
  entry: string
  files: ReadonlyMap<string, string>
}

/** `page` is the name of a file in the bench folder. */
export async function buildPage(page: string): Promise<BuiltPage> {
  const built = await build({
    configFile: false,
    envFile: false,
    root,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: {
      alias: [
        { find: /^redeemkit$/, replacement: `${root}src/redeemkit/index.ts` },
        { find: /^redeemkit\/(.+)$/, replacement: `${root}src/redeemkit/$1/index.ts` },
      ],
      // Other projects' pages share packages with this installation, as in an installed dApp.
      dedupe: ['react', 'react-dom', 'viem', 'wagmi', '@tanstack/react-query'],
    },
    build: {
      write: false,
      rolldownOptions: { input: fileURLToPath(new URL(`../${page}`, import.meta.url)) },
    },
  })
  // A single output, because the configuration has neither several outputs nor a watcher.
  const { output } = built as Rolldown.RolldownOutput
  const chunks = output.filter((file) => file.type === 'chunk')
  const entry = chunks.find((chunk) => chunk.isEntry)
  if (entry === undefined) throw new Error(`Vite built no script for ${page}.`)
  return { entry: entry.fileName, files: new Map(chunks.map(({ fileName, code }) => [fileName, code])) }
}

/** In bytes, each file gzipped separately, as a server sends them. */
export function weigh(page: BuiltPage, names: Iterable<string>): number {
  let sum = 0
  for (const name of names) sum += gzipSync(page.files.get(name) ?? '', { level: 9 }).byteLength
  return sum
}
