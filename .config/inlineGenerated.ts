import type { Plugin } from 'esbuild'
import { cardScript } from '../src/sandbox/pages/card/cardScript.ts'
import { readMigrations } from '../src/sandbox/store/migrations.ts'

/** Modules that compute a text from files that a bundle lacks. In a bundle, these modules contain the text instead. */
const computed = /[\\/]src[\\/]sandbox[\\/](pages[\\/]card[\\/]cardScript|store[\\/]migrations)\.ts$/

async function textOf(path: string): Promise<string> {
  return /[\\/]cardScript\.ts$/.test(path)
    ? `export const cardScript = () => Promise.resolve(${JSON.stringify(await cardScript())})`
    : `export const readMigrations = () => ${JSON.stringify(readMigrations())}`
}

export const inlineGenerated = {
  name: 'inline-generated',
  load: async (id: string) => (computed.test(id) ? textOf(id) : null),
}

/** The same plugin for tests that start a bundled service. */
export const inlineInEsbuild: Plugin = {
  name: 'inline-generated',
  setup(build) {
    build.onLoad({ filter: computed }, async ({ path }) => ({ contents: await textOf(path), loader: 'js' }))
  },
}
