import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Returns the SQL files of `migrations/`, in order. The package's build replaces this module with their text
 * (`.config/inlineGenerated.ts`), so that the package needs no SQL files.
 */
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
