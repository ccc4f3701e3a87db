import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Test files of `src` whose text has something, from the root of the repository. */
export function unitTestsWith(pattern: RegExp): string[] {
  return readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' })
    .map((file) => `src/${file.replaceAll('\\', '/')}`)
    .filter((file) => /\.test\.tsx?$/.test(file) && pattern.test(readFileSync(`${root}${file}`, 'utf8')))
}
