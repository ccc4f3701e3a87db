import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Text of `migrations.ts`: the SQL files of `migrations/`, in order, so that the built package needs no files. */
export function bundleMigrations(): string {
  const folder = fileURLToPath(new URL('migrations/', import.meta.url))
  const rows = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const statements = readFileSync(`${folder}${name}`, 'utf8').split('--> statement-breakpoint')
      const texts = statements.map((statement) => `      ${JSON.stringify(statement.trim())},`)
      return `  {\n    name: ${JSON.stringify(name.replace(/\.sql$/, ''))},\n    statements: [\n${texts.join('\n')}\n    ],\n  },`
    })
  return `// Made from migrations/*.sql by bundleMigrations.ts. Not edited by hand.\n\n// biome-ignore format: generated\nexport const migrations: readonly { name: string; statements: readonly string[] }[] = [\n${rows.join('\n')}\n]\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(new URL('migrations.ts', import.meta.url), bundleMigrations())
