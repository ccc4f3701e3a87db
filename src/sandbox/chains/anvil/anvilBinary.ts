import { createRequire } from 'node:module'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'

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
  try {
    return createRequire(import.meta.url).resolve(file)
  } catch (cause) {
    throw new AnvilNotInstalledError(`Anvil is not installed: ${name} was not found.`, {
      cause,
      fix: 'Run: npm install --include=optional. There is a package for Linux, macOS and Windows.',
    })
  }
}

export declare namespace anvilBinary {
  type ErrorType = AnvilNotInstalledError
}

/** The local EVM chain's program is missing. */
export class AnvilNotInstalledError extends BaseError {
  override readonly name = 'AnvilNotInstalledError'
}
