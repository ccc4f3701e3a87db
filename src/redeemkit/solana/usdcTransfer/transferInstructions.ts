import type { InvalidAmountError } from '../../core/amount/parseAmount.ts'
import type { InvalidAddressError, UnknownNetworkError } from '../../core/errors/inputErrors.ts'
import { type AddressLike, parseAddress, tokenAccountOf } from '../address.ts'
import { invalidOption } from '../checkOptions.ts'
import { programs } from '../instruction/programs.ts'
import { networkOf, usdcDecimals } from '../networks.ts'
import type { Instruction } from '../transaction/encodeTransaction.ts'
import { checkAmount, checkRent, type ExpectedTransfer } from './expectedTransfer.ts'

export function transferInstructions(
  options: Omit<ReturnType<typeof transferTerms>, 'network' | 'rent'> & {
    sponsor: string
    memo: Uint8Array | undefined
    memoProgram: string
    layout: 'solanaPay' | 'x402'
    computeUnitLimit: number
    computeUnitPrice: bigint
  },
): Instruction[] {
  const { sponsor, from, to, mint, source, destination, amount, references, memo } = options
  const budget: Instruction[] = [
    { program: programs.computeBudget, accounts: [], data: data(2, [options.computeUnitLimit, 4]) },
    { program: programs.computeBudget, accounts: [], data: data(3, [options.computeUnitPrice, 8]) },
  ]
  const creation: Instruction = {
    program: programs.associatedToken,
    accounts: [
      [sponsor, 'sw'],
      [destination, 'w'],
      [to, ''],
      [mint, ''],
      [programs.system, ''],
      [programs.token, ''],
    ],
    data: data(1),
  }
  const transfer: Instruction = {
    program: programs.token,
    accounts: [
      [source, 'w'],
      [mint, ''],
      [destination, 'w'],
      [from, 's'],
      ...references.map((key) => [key, ''] as const),
    ],
    data: data(12, [amount, 8], [usdcDecimals, 1]),
  }
  const note: Instruction[] =
    memo === undefined ? [] : [{ program: options.memoProgram, accounts: [], data: memo }]
  // Solana Pay expects the memo directly before the transfer; x402 expects the transfer directly after the compute budget.
  return options.layout === 'x402' ? [...budget, transfer, ...note] : [...budget, creation, ...note, transfer]
}

/** Encodes instruction data: the instruction number, then little-endian numbers of the given sizes. */
function data(number: number, ...numbers: (readonly [value: bigint | number, length: number])[]): Uint8Array {
  return Uint8Array.from([number, ...numbers.flatMap(([value, length]) => littleEndian(value, length))])
}

function littleEndian(value: bigint | number, length: number): number[] {
  return Array.from({ length }, (_, i) => Number((BigInt(value) >> BigInt(8 * i)) & 255n))
}

export const u64 = (value: bigint): number[] => littleEndian(value, 8)

export function transferTerms(
  given: Pick<ExpectedTransfer, 'environment' | 'from' | 'to' | 'amount' | 'references' | 'rent'>,
) {
  const { environment, references = [], rent } = given
  const network = networkOf(environment)
  const { usdcMint: mint } = network
  const amount = checkAmount(given.amount)
  const from = parseAddress(given.from, { field: 'from' })
  const to = parseAddress(given.to, { field: 'to' })
  if (!Array.isArray(references)) throw invalidOption('references', references, 'Pass a list of addresses.')
  return {
    network,
    mint,
    amount,
    from,
    to,
    source: tokenAccountOf({ owner: from, mint }),
    destination: tokenAccountOf({ owner: to, mint }),
    references: references.map((key: AddressLike) => parseAddress(key, { field: 'references' })),
    rent: rent === undefined ? undefined : checkRent(rent),
  }
}

export declare namespace transferTerms {
  type ErrorType = tokenAccountOf.ErrorType | InvalidAddressError | InvalidAmountError | UnknownNetworkError
}

/** The maximum number of compute units that a transaction can request. */
export const maxUnits = 1_400_000

/**
 * Compute units of a transfer: creating an account (up to 40,000), the transfer (7,000), {@link freeMemoUnits}, and the assertions that a
 * wallet adds (up to 12,000 each).
 */
const defaultUnits = 120_000
/** The compute units of a memo of 64 ASCII characters. */
const freeMemoUnits = 64 * 360

/**
 * Returns the default compute unit limit of a transfer. See PROTOCOL.md 9.3.
 *
 * Version 3 of the memo program logs the text character by character, with a table lookup for each. The numbers are
 * upper bounds that were measured on the local chain, which runs the deployed program.
 */
export function unitsFor(memo: string, memoVersion: 3 | 4): number {
  if (memoVersion === 4) return defaultUnits
  const units = [...memo].reduce((sum, letter) => sum + unitsOfLetter(letter.codePointAt(0) ?? 0), 0)
  return defaultUnits + Math.max(units - freeMemoUnits, 0)
}

function unitsOfLetter(code: number): number {
  if (code >= 0x20 && code < 0x7f) return 360
  if (code < 0x800) return 1_800
  return code < 0xe000 ? 13_300 : 20_000
}
