import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** A page as a browser loads it: its script files by name, and the name of the entry file. */
export type BuiltPage = {
  entry: string
  files: ReadonlyMap<string, string>
}

/**
 * Bundles a page for production, with Vite's defaults.
 *
 * @param page name of the page's file in the bench folder
 */
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
      // Pages of other projects share packages with this installation, as an installed dApp does.
      dedupe: ['react', 'react-dom', 'viem', 'wagmi', '@tanstack/react-query'],
    },
    build: {
      write: false,
      rolldownOptions: { input: fileURLToPath(new URL(`../${page}`, import.meta.url)) },
    },
  })
  // The build has a single output, because the configuration has neither several outputs nor a watcher.
  const { output } = built as Rolldown.RolldownOutput
  const chunks = output.filter((file) => file.type === 'chunk')
  const entry = chunks.find((chunk) => chunk.isEntry)
  if (entry === undefined) throw new Error(`Vite built no script for ${page}.`)
  return { entry: entry.fileName, files: new Map(chunks.map(({ fileName, code }) => [fileName, code])) }
}

/** Returns the total size of these files in bytes, each gzipped separately, as a server sends them. */
export function weigh(page: BuiltPage, names: Iterable<string>): number {
  let sum = 0
  for (const name of names) sum += gzipSync(page.files.get(name) ?? '', { level: 9 }).byteLength
  return sum
}
