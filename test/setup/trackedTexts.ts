import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The repository's files by path. New files count before they are committed. */
export function trackedTexts(pattern: RegExp): Map<string, string> {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 24,
  })
  return new Map(
    listed
      .split('\0')
      .filter((path) => pattern.test(path))
      .flatMap((path) => {
        try {
          return [[path, readFileSync(join(root, path), 'utf8')] as const]
        } catch {
          // The file is deleted, but the deletion is not committed yet.
          return []
        }
      }),
  )
}
