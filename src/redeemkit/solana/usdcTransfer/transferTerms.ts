import { InvalidAmountError } from '../../core/amount.ts'
import type { Environment } from '../../core/blockchains.ts'
import type { InvalidAddressError, UnknownNetworkError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { type AddressLike, parseAddress, tokenAccountOf } from '../address.ts'
import { invalidOption } from '../checkOptions.ts'
import { networkOf, usdcDecimals } from '../networks.ts'
import type { Instruction } from '../transaction/parseTransaction.ts'
import { programs } from '../transaction/programs.ts'

/** The expected transfer. Omitted fields are not compared; the result of `usdcTransfer` pins everything. */
export type ExpectedTransfer = {
  environment: Environment
  /** The customer: owner of the USDC. */
  from: AddressLike
  /** The receiving wallet (not its token account). */
  to: AddressLike
  /** Raw units; 1 USDC = 1_000_000n. */
  amount: bigint
  /**
   * The account that pays the fee and the rent. If omitted, any account except the customer may pay. Pass the customer's own
   * address to let only the customer pay.
   */
  sponsor?: AddressLike | undefined
  /** Text of the memo. If omitted, a memo is refused. */
  paymentId?: string | undefined
  /**
   * Accepts one unexpected memo of at most 256 characters that lists no accounts and is not a sign-in: x402 clients add
   * a random memo. Ignored with `paymentId`. Default false.
   */
  anyMemo?: boolean | undefined
  /** Read-only keys that a payment request adds to the transfer (Solana Pay's `reference`). All are required. */
  references?: readonly AddressLike[] | undefined
  /** Rent of the receiver's token account, `"0"` if it exists. If given, the transfer must create the account. */
  rent?: { lamports: string | number | bigint } | undefined
  blockhash?: string | undefined
  computeUnitLimit?: number | undefined
  /** Micro-lamports per compute unit. */
  computeUnitPrice?: bigint | undefined
  /** Maximum fee in lamports, including the priority fee. Rent is not included. Default 100_000n. */
  maxFeeLamports?: bigint | undefined
  /**
   * Maximum rent, in lamports, that the sponsor pays to create the receiver's token account. Default: `rent`. Without
   * `rent` and this limit, the sponsor refuses to create the account; the customer, who never pays the rent, accepts
   * any. With `rent: "0"`, the sponsor still pays if the account was closed in the meantime, so check that it exists
   * before you sign as sponsor.
   */
  maxRentLamports?: bigint | undefined
}

/** Accepts raw units from 1 to 2^64 - 1. */
export function checkAmount(amount: bigint): bigint {
  if (typeof amount !== 'bigint' || amount < 1n || amount >= 1n << 64n)
    throw new InvalidAmountError(`${showValue(amount)} is not an amount that can be sent.`, {
      field: 'amount',
      fix: 'Pass raw units as a bigint from 1 to 2^64 - 1: 1 USDC is 1_000_000n.',
    })
  return amount
}

/** Refuses an invalid height: it is never reached, so waiting for it would never end. */
export function checkHeight(lastValidBlockHeight: number): void {
  if (!Number.isSafeInteger(lastValidBlockHeight) || lastValidBlockHeight < 0)
    throw invalidOption(
      'lastValidBlockHeight',
      lastValidBlockHeight,
      'Pass the transfer’s own value, or the result of getLatestBlockhash.',
    )
}

/**
 * The highest rent that a token account (165 bytes) has ever had, in lamports: 6960 per byte, for 165 bytes and a
 * 128-byte overhead. SIMD-0437 lowers the rent.
 */
export const tokenAccountRent = 2_039_280n

export const defaultMaxFeeLamports = 100_000n

/** Parses the known rent of the receiver's token account (PROTOCOL.md 9.3) in lamports; 0n if the account exists. */
export function checkRent(rent: { lamports: string | number | bigint }): bigint {
  const lamports = rent?.lamports
  const text = typeof lamports === 'object' ? '' : String(lamports)
  if (/^(0|[1-9]\d{0,18})$/.test(text)) return BigInt(text)
  throw invalidOption('rent.lamports', lamports, 'Pass whole lamports.')
}

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
