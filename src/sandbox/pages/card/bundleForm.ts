import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** Text of `cardScript.ts`: the script of the card form, in one file that a browser runs as it is. */
export async function bundleForm(): Promise<string> {
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
  // Names of files stand in it, beside the code of each.
  const script = (outputFiles[0]?.text ?? '').replace(/^ *\/\/ .*\n/gm, '')
  const text = script.replace(/[\\`]|\$(?=\{)/g, '\\$&')
  return `/** Made from form/ by bundleForm.ts. Not edited by hand. */\nexport const cardScript = \`${text}\`\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(new URL('cardScript.ts', import.meta.url), await bundleForm())
