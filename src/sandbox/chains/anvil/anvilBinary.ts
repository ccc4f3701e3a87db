import { createRequire } from 'node:module'
import { BaseError } from '../../../core/errors/baseError.ts'

/**
 * Path of the Anvil binary that npm installed for this platform.
 *
 * The binary itself, not npm's wrapper around it: killing the wrapper leaves Anvil running.
 *
 * @throws {@link AnvilNotInstalledError} when npm has none for this platform
 */
export function anvilBinary(): string {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  const name = `@foundry-rs/anvil-${process.platform}-${architecture}`
  const file = `${name}/bin/anvil${process.platform === 'win32' ? '.exe' : ''}`
  const require = createRequire(import.meta.url)
  try {
    return require.resolve(file)
  } catch (own) {
    try {
      // With a strict package manager only the wrapper can see its platform package.
      return createRequire(require.resolve('@foundry-rs/anvil/package.json')).resolve(file)
    } catch {
      throw new AnvilNotInstalledError(`Anvil is not installed: ${name} was not found.`, {
        cause: own,
        fix: 'Install optional dependencies too (npm ci --include=optional), on Linux, macOS or Windows.',
      })
    }
  }
}

/** The local EVM chain's program is missing. */
export class AnvilNotInstalledError extends BaseError {
  override readonly name = 'AnvilNotInstalledError'
}
