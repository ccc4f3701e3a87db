import { InvalidAmountError } from '../../core/amount/parseAmount.ts'
import type { Environment } from '../../core/blockchains.ts'
import { showValue } from '../../core/errors/showValue.ts'
import type { AddressLike } from '../address.ts'
import { invalidOption } from '../checkOptions.ts'

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
