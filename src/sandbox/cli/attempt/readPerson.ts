import type { Hex } from 'viem'
import { InvalidAddressError } from '../../../redeemkit/core/errors/inputErrors.ts'
import { checkNonZeroAddress } from '../../../redeemkit/evm/checkAddress.ts'

/**
 * An address as it is typed: itself, or the name of a person.
 *
 * @throws InvalidAddressError
 */
export function readPerson(
  text: string,
  { people, field }: { people: Readonly<Record<string, Hex>>; field: string },
): Hex {
  if (Object.hasOwn(people, text)) return people[text] as Hex // it has it
  try {
    return checkNonZeroAddress(text, field)
  } catch (error) {
    const names = Object.keys(people)
    if (!(error instanceof InvalidAddressError) || /^0x/i.test(text) || names.length === 0) throw error
    const { shortMessage, docs } = error
    throw new InvalidAddressError(shortMessage, {
      field,
      fix: `Give 0x and 40 hexadecimal digits, or name one of ${names.join(', ')}.`,
      docs,
    })
  }
}
