import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Only the owner can read the folder. Node's `recursive` hangs where folders cannot be created, such as in `/proc`. */
export async function makeFolder(path: string, isAgain = false): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return
    if (code !== 'ENOENT' || isAgain || dirname(path) === path) throw error
    await makeFolder(dirname(path))
    await makeFolder(path, true)
  }
}
