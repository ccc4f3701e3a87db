import { access, chmod, constants, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { InvalidSandboxOptionsError } from '../errors.ts'
import { envHeader } from './sandboxSettings.ts'

/**
 * Writes a `.env` file that its owner alone can read.
 *
 * @throws {@link InvalidSandboxOptionsError} when there is a file that somebody else wrote, or none can be written
 */
export async function writeEnvFile(file: string, text: string): Promise<void> {
  await checkEnvFile(file)
  try {
    await writeFile(file, text, { mode: 0o600 })
    // A file that was there keeps its mode.
    await chmod(file, 0o600)
  } catch (cause) {
    throw problem(file, 'cannot be written', cause)
  }
}

/**
 * Looks, before anything is started, whether the file could be written.
 *
 * @throws {@link InvalidSandboxOptionsError} when there is a file that somebody else wrote, or none can be written
 */
export async function checkEnvFile(file: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined
    throw problem(file, 'cannot be read', cause)
  })
  try {
    const folder = dirname(resolve(file))
    if (!(await stat(folder)).isDirectory()) throw new Error('no folder')
    await access(text === undefined ? folder : file, constants.W_OK)
  } catch (cause) {
    throw problem(file, 'cannot be written', cause)
  }
  if (text !== undefined && text !== '' && !text.startsWith(envHeader))
    throw problem(file, 'holds what the sandbox did not write')
}

function problem(file: string, what: string, cause?: unknown): InvalidSandboxOptionsError {
  return new InvalidSandboxOptionsError(`The file ${resolve(file)} ${what}.`, {
    field: '--env',
    fix: 'Name a file of its own, such as .env.sandbox, in a folder in which this process may write.',
    cause,
  })
}
