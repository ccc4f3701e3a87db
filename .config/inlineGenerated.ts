import { cardScript } from '../src/sandbox/pages/card/cardScript.ts'
import { readMigrations } from '../src/sandbox/store/migrations.ts'

/** Replaces the modules that a source checkout computes from other files with the computed text: the package has neither. */
export const inlineGenerated = {
  name: 'inline-generated',
  async load(id: string) {
    if (id.endsWith('/src/sandbox/pages/card/cardScript.ts'))
      return `export function cardScript(): Promise<string> { return Promise.resolve(${JSON.stringify(await cardScript())}) }`
    if (id.endsWith('/src/sandbox/store/migrations.ts'))
      return `export function readMigrations(): readonly { name: string; statements: readonly string[] }[] { return ${JSON.stringify(readMigrations())} }`
    return null
  },
}
