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

/** A page of the documentation, such as `protocol/records`. */
export function docsPage(name: string): string {
  return readFileSync(join(root, 'docs/pages', `${name}.md`), 'utf8')
}

/** Includes section 11, which is a page of its own. */
export const protocol = readFileSync(join(root, 'PROTOCOL.md'), 'utf8').replace(
  /^## 11\. Wire records\n[\s\S]*?(?=^## 12\. )/m,
  `${docsPage('protocol/records')
    .replace(/^# .*$/m, '## 11. Wire records')
    .replace(/^## (11\.\d)/gm, '### $1')}\n`,
)

/** The details of these sections are on a page of the documentation. */
export const detailedIn: Record<string, string> = {
  '2.10': 'reference/sandbox',
  '4.6': 'reference/sandbox',
  '9.3': 'protocol/transfers',
  '9.4': 'protocol/transfers',
  '10.7': 'reference/withdrawals',
  '10.8': 'protocol/card-form',
}
