import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * The SQL files of `migrations/`, in order. The build replaces this module with their text (`.config/inlineGenerated.ts`), so the
 * package needs no files.
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
