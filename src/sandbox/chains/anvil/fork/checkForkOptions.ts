import { describeType, showValue } from '../../../../redeemkit/core/errors/showValue.ts'
import { InvalidSandboxOptionsError } from '../../../errors.ts'

/**
 * Refuses an address that no chain can be forked from, and a block that is none. An address that was given as `undefined` or as
 * empty text comes from an environment variable that is not set: a fresh chain would be started in the place of a copy, without a
 * word.
 *
 * @param fields what the options are called
 * @throws {@link InvalidSandboxOptionsError}
 */
export function checkForkOptions(
  given: { forkUrl: unknown; forkBlockNumber: unknown },
  fields: { forkUrl: string; forkBlockNumber: string } = {
    forkUrl: 'forkUrl',
    forkBlockNumber: 'forkBlockNumber',
  },
): { forkUrl: string; forkBlockNumber: number | undefined } {
  const { forkUrl, forkBlockNumber } = given
  if (forkUrl === undefined || (typeof forkUrl === 'string' && forkUrl.trim() === ''))
    throw new InvalidSandboxOptionsError(
      `${fields.forkUrl} is ${forkUrl === undefined ? 'undefined' : 'empty'}.`,
      {
        field: fields.forkUrl,
        fix: 'Set what it is read from, such as an environment variable, or leave the option out: then a fresh chain is started.',
      },
    )
  if (typeof forkUrl !== 'string' || !URL.canParse(forkUrl) || !/^https?:$/.test(new URL(forkUrl).protocol))
    throw new InvalidSandboxOptionsError(
      `${fields.forkUrl} is ${describeType(forkUrl)}, and no address of a JSON-RPC endpoint.`,
      { field: fields.forkUrl, fix: 'Give an address that begins with https:// or http://.' },
    )
  if (forkBlockNumber === undefined) return { forkUrl, forkBlockNumber }
  if (typeof forkBlockNumber !== 'number' || !Number.isSafeInteger(forkBlockNumber) || forkBlockNumber < 0)
    throw new InvalidSandboxOptionsError(`${fields.forkBlockNumber} is ${showValue(forkBlockNumber)}.`, {
      field: fields.forkBlockNumber,
      fix: 'Give the number of a block, a whole number from 0, or leave it out to take the newest.',
    })
  return { forkUrl, forkBlockNumber }
}

export declare namespace checkForkOptions {
  type ErrorType = InvalidSandboxOptionsError
}
