import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build } from 'esbuild'

const here = fileURLToPath(new URL('.', import.meta.url))
const repository = fileURLToPath(new URL('../..', import.meta.url))

export const extensionFolder = join(here, 'dist')

/** The extension's id, which Chrome computes from the `key` of the manifest. */
export const extensionId = 'mkpfhnbaifmoldhfhhichngdkgollhhn'

/** Chromium loads this folder. It contains all code: nothing is loaded from elsewhere. */
export async function buildExtension(outdir = extensionFolder): Promise<void> {
  await rm(outdir, { recursive: true, force: true })
  await mkdir(outdir, { recursive: true })
  await Promise.all([
    // Content scripts are not modules.
    build({ ...common, outdir, format: 'iife', entryPoints: entries('content', 'provider') }),
    // A service worker has no `import()`: without `splitting`, its code is one file.
    build({
      ...common,
      outdir,
      format: 'esm',
      inject: [join(here, 'src/worker/buffer.ts')],
      entryPoints: entries('worker'),
    }),
    build({
      ...common,
      outdir,
      format: 'esm',
      splitting: true,
      entryPoints: { window: join(here, 'src/windows/index.tsx') },
    }),
    cp(join(here, 'manifest.json'), join(outdir, 'manifest.json')),
    cp(join(here, 'icons'), join(outdir, 'icons'), { recursive: true }),
    ...windows.map(async (name) => writeFile(join(outdir, `${name}.html`), await windowPage(name))),
  ])
}

const windows = ['popup', 'approval', 'settings'] as const

/** Returns the HTML of a window, which loads the script and the styles `files`. */
export async function windowPage(name: (typeof windows)[number], files = 'window'): Promise<string> {
  const page = await readFile(join(here, 'src/windows/window.html'), 'utf8')
  return page.replaceAll('{files}', files).replaceAll('{name}', name)
}

const entries = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, join(here, `src/${name}/index.ts`)]))

// The `paths` of this repository's tsconfig.json resolve `redeemkit`. In your project, install the package.
const common: BuildOptions = {
  bundle: true,
  minify: true,
  target: 'chrome123',
  platform: 'browser',
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"' },
  legalComments: 'none',
  logLevel: 'warning',
  // The vault's package uses only two functions of this 200 kB package.
  alias: { '@metamask/utils': join(repository, 'node_modules/@metamask/utils/dist/misc.mjs') },
}
