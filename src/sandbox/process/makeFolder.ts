import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder that its owner alone may read, and the folders above it. Node's own way to make those, too, never ends where
 * none can be made, as in `/proc`.
 *
 * @throws what `mkdir` throws
 */
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
