import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Returns the test files in some folders of the repository whose text matches a pattern, relative to its root. */
export function testFilesWith(pattern: RegExp, folders: readonly string[]): string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' }).map(
        (file) => `${folder}/${file.replaceAll('\\', '/')}`,
      ),
    )
    .filter((file) => /\.test\.tsx?$/.test(file) && !file.includes('/node_modules/'))
    .filter((file) => pattern.test(readFileSync(`${root}${file}`, 'utf8')))
}
