import { fileURLToPath } from 'node:url'

let script: Promise<string> | undefined

/**
 * Returns the card form's script: `form/` in one file. A source checkout bundles it on first use; the build replaces this
 * module with the result (`.config/inlineGenerated.ts`). After a failure the next call bundles again.
 */
export function cardScript(): Promise<string> {
  script ??= bundle().catch((error: unknown) => {
    script = undefined
    throw error
  })
  return script
}

async function bundle(): Promise<string> {
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
  // esbuild writes each file's name above its code.
  return (outputFiles[0]?.text ?? '').replace(/^ *\/\/ .*\n/gm, '')
}
