import { BaseError } from '../redeemkit/core/errors/baseError.ts'

/** Imports a part of the sandbox that needs an optional package. If the package is missing, the error contains the install command. */
export async function withPackage<part>(name: string, load: () => Promise<part>): Promise<part> {
  try {
    return await load()
  } catch (cause) {
    if (!isMissing(cause, name)) throw cause
    throw new PackageNotInstalledError(`The package ${name} is not installed.`, {
      cause,
      fix: `Run: npm install ${name}`,
    })
  }
}

function isMissing(error: unknown, name: string): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === 'ERR_MODULE_NOT_FOUND' &&
    error.message.includes(`'${name}'`)
  )
}

/** An optional package is needed and is not installed. */
export class PackageNotInstalledError extends BaseError {
  override readonly name = 'PackageNotInstalledError'
}
