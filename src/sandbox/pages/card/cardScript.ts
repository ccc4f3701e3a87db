import { fileURLToPath } from 'node:url'
import { loadOnce } from '../../concurrency.ts'

/** From source, the first call bundles the folder `form/`. The package contains the bundle instead (`.config/inlineGenerated.ts`). */
export const cardScript = loadOnce(async () => {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('form/form.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'error',
  })
  // Removes esbuild's comments with file names.
  return (outputFiles[0]?.text ?? '').replace(/^ *\/\/ .*\n/gm, '')
})
