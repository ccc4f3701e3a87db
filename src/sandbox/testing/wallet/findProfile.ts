import { InvalidOptionError } from '../../../redeemkit/core/errors/inputErrors.ts'
import { showValue } from '../../../redeemkit/core/errors/showValue.ts'

/**
 * The profile of a name; none when no name is given.
 *
 * @throws InvalidOptionError for a name that no profile has
 */
export function findProfile<profile extends { name: string }>(
  profiles: readonly profile[],
  name: string | undefined,
): profile | undefined {
  const found = profiles.find((one) => one.name === name)
  if (found === undefined && name !== undefined)
    throw new InvalidOptionError(`There is no profile ${showValue(name)}.`, {
      field: 'profile',
      fix: `There are ${profiles.map((one) => one.name).join(', ')}.`,
    })
  return found
}

export declare namespace findProfile {
  type ErrorType = InvalidOptionError
}
