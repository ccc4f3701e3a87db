import { cp, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build } from 'esbuild'

const here = fileURLToPath(new URL('.', import.meta.url))
const repository = fileURLToPath(new URL('../..', import.meta.url))

/** Folder of the built extension. */
export const extensionFolder = join(here, 'dist')

/** The extension's id, which follows from the `key` of the manifest. */
export const extensionId = 'mkpfhnbaifmoldhfhhichngdkgollhhn'

/**
 * Builds the extension into a folder that Chromium loads. All code is in the folder: nothing is loaded from elsewhere.
 *
 * @param outdir default: {@link extensionFolder}
 */
export async function buildExtension(outdir = extensionFolder): Promise<void> {
  await rm(outdir, { recursive: true, force: true })
  await mkdir(outdir, { recursive: true })
  const windows = join(here, 'src/windows')
  const pages = (await readdir(windows)).filter((name) => name.endsWith('.html'))
  await Promise.all([
    // Content scripts are no modules.
    build({ ...common, outdir, format: 'iife', entryPoints: entries('content', 'provider') }),
    // A service worker has no `import()`: without `splitting`, its code is one file.
    build({
      ...common,
      outdir,
      format: 'esm',
      inject: [join(here, 'src/vault/buffer.ts')],
      entryPoints: entries('worker'),
    }),
    build({
      ...common,
      outdir,
      format: 'esm',
      splitting: true,
      entryPoints: pages.map((page) => join(windows, page.replace('.html', '.tsx'))),
    }),
    cp(join(here, 'manifest.json'), join(outdir, 'manifest.json')),
    cp(join(here, 'icons'), join(outdir, 'icons'), { recursive: true }),
    ...pages.map((page) => cp(join(windows, page), join(outdir, page))),
  ])
}

const entries = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, join(here, `src/${name}/index.ts`)]))

// `redeemkit` is found by the `paths` of the repository's tsconfig.json. In your project, install it.
const common: BuildOptions = {
  bundle: true,
  minify: true,
  target: 'chrome123',
  platform: 'browser',
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"' },
  legalComments: 'none',
  logLevel: 'warning',
  // The vault's package uses two functions of this one; the whole has 200 kB.
  alias: { '@metamask/utils': join(repository, 'node_modules/@metamask/utils/dist/misc.mjs') },
}
