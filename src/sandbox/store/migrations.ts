import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** In the package, this module contains the text of `migrations/` instead (`.config/inlineGenerated.ts`). */
export function readMigrations(): readonly { name: string; statements: readonly string[] }[] {
  const folder = fileURLToPath(new URL('migrations/', import.meta.url))
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({
      name: file.replace(/\.sql$/, ''),
      statements: readFileSync(`${folder}${file}`, 'utf8')
        .split('--> statement-breakpoint')
        .map((statement) => statement.trim()),
    }))
}
