import type { Environment } from '../../core/blockchains.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import { isOnCurve } from '../address/isOnCurve.ts'
import { isReserved } from '../address/isReserved.ts'
import { type AddressLike, InvalidAddressError, parseAddress } from '../address/parseAddress.ts'
import { tokenAccountOf } from '../address/tokenAccountOf.ts'
import { checkOptions, invalidOption } from '../checkOptions.ts'
import { decodeBase58 } from '../encoding/decodeBase58.ts'
import { encodeBase64 } from '../encoding/encodeBase64.ts'
import { programs } from '../instruction/programs.ts'
import { networkOf, usdcDecimals } from '../networks.ts'
import { encodeMessage, type Instruction } from '../transaction/encodeMessage.ts'
import { encodeTransaction } from '../transaction/encodeTransaction.ts'
import { feeOf } from '../transaction/feeOf.ts'
import { checkAmount } from './checkAmount.ts'
import { checkRent, tokenAccountRent } from './checkRent.ts'

/** A USDC transfer, built and not yet signed by anybody. */
export type UsdcTransfer = {
  /** Base64 of the whole transaction, with room for two signatures: sponsor, customer. */
  transaction: string
  environment: Environment
  from: string
  to: string
  /** Raw units; 1 USDC = 1_000_000n. */
  amount: bigint
  sponsor: string
  paymentId: string | undefined
  blockhash: string
  /** Block height after which the transaction can no longer land. */
  lastValidBlockHeight: number
  computeUnitLimit: number
  computeUnitPrice: bigint
  maxFeeLamports: bigint
  references?: readonly string[] | undefined
  /**
   * What the sponsor pays for the receiver's token account when there is none yet: the wire's `rent`, in lamports. Absent in
   * x402's layout, which creates none.
   */
  rent?: { lamports: string } | undefined
}

/**
 * Builds a USDC transfer that the customer signs and a sponsor pays for, so that the customer needs no SOL: version 0,
 * compute budget, the receiver's token account (created when it is not there), memo, `TransferChecked`.
 *
 * The account creation is left out in x402's layout only: it is also what makes the transfer fail when the receiver's token account
 * no longer belongs to the receiver.
 *
 * @returns the transfer with everything that `inspect`, `signUsdcTransfer` and `sponsorUsdcTransfer` hold it against
 * @throws {@link InvalidAddressError} {@link InvalidAmountError} {@link OwnerOffCurveError} {@link InvalidOptionError}
 *   {@link WrongNetworkError}
 * @example
 * ```ts
 * import { usdcTransfer } from 'redeemkit/solana'
 *
 * declare const latest: { blockhash: string; lastValidBlockHeight: number } // connection.getLatestBlockhash()
 * declare const people: { customer: string; merchant: string; sponsor: string }
 * const transfer = usdcTransfer({
 *   environment: 'sandbox',
 *   from: people.customer,
 *   to: people.merchant,
 *   sponsor: people.sponsor,
 *   amount: 1_500_000n, // 1.5 USDC
 *   paymentId: 'pay_1',
 *   ...latest,
 * })
 * ```
 */
export function usdcTransfer(options: usdcTransfer.Options): UsdcTransfer {
  const {
    environment,
    paymentId,
    allowOwnerOffCurve = false,
    blockhash,
    lastValidBlockHeight,
  } = checkOptions(options)
  const { computeUnitLimit = 120_000, computeUnitPrice = 10_000n, maxFeeLamports = 100_000n } = options
  const { usdcMint: mint } = networkOf(environment)
  const amount = checkAmount(options.amount)
  const from = parseAddress(options.from, { field: 'from' })
  const to = parseAddress(options.to, { field: 'to' })
  const sponsor = parseAddress(options.sponsor, { field: 'sponsor' })
  for (const [field, key] of Object.entries({ from, to, sponsor }))
    if (!(field === 'to' && allowOwnerOffCurve === true) && !isOnCurve(decodeBase58(key, { field })))
      throw new OwnerOffCurveError(
        `${key} has no private key: it belongs to a program, or is a token account.`,
        {
          field,
          fix:
            field === 'to'
              ? "Give the receiving wallet, not its token account. For a program's vault, set allowOwnerOffCurve."
              : 'Give an address that can sign.',
        },
      )
  const wrong =
    Object.entries({ from, to, sponsor }).find(([, key]) => isReserved(key))?.[0] ??
    (from === sponsor ? 'sponsor' : from === to ? 'to' : undefined)
  if (wrong !== undefined)
    throw new InvalidAddressError(`${{ from, to, sponsor }[wrong]} cannot stand here.`, {
      field: wrong,
      fix: 'Customer and receiver, customer and sponsor must be different wallets, and no program or mint.',
    })
  decodeBase58(blockhash, { field: 'blockhash', length: 32 })
  if (!Number.isSafeInteger(lastValidBlockHeight) || lastValidBlockHeight < 0)
    throw invalidOption(
      'lastValidBlockHeight',
      lastValidBlockHeight,
      'Give what getLatestBlockhash answered.',
    )
  if (!Number.isInteger(computeUnitLimit) || computeUnitLimit < 1 || computeUnitLimit > 1_400_000)
    throw invalidOption('computeUnitLimit', computeUnitLimit, 'Give 1 to 1_400_000 units.')
  if (typeof computeUnitPrice !== 'bigint' || computeUnitPrice < 0n || computeUnitPrice >= 1n << 64n)
    throw invalidOption('computeUnitPrice', computeUnitPrice, 'Give micro-lamports a unit as a bigint.')
  // As a bound of everything that is compared with it below, and by `inspect` afterwards.
  const fee = feeOf({ signatures: 2, units: computeUnitLimit, microLamports: computeUnitPrice })
  if (typeof maxFeeLamports !== 'bigint' || fee > maxFeeLamports)
    throw invalidOption(
      'maxFeeLamports',
      maxFeeLamports,
      `The fee is ${fee} lamports: allow it as a bigint, or lower computeUnitPrice.`,
    )
  // A lone half of a character would be written as another one.
  const memo = new TextEncoder().encode(typeof paymentId === 'string' ? paymentId : '')
  if (paymentId !== undefined && (memo.length < 1 || memo.length > 500 || /\p{Cs}/u.test(paymentId)))
    throw invalidOption('paymentId', paymentId, 'Give 1 to 500 bytes of UTF-8, or leave it out.')
  const rent = options.rent === undefined ? tokenAccountRent : checkRent(options.rent)

  const { layout = 'solanaPay', references = [] } = options
  if (layout !== 'solanaPay' && layout !== 'x402')
    throw invalidOption('layout', layout, 'Say "solanaPay" or "x402", or leave it out.')
  if (!Array.isArray(references)) throw invalidOption('references', references, 'Give a list of addresses.')
  const found = references.map((key: AddressLike) => parseAddress(key, { field: 'references' }))

  const source = tokenAccountOf({ owner: from, mint })
  const destination = tokenAccountOf({ owner: to, mint })
  const budget: Instruction[] = [
    { program: programs.computeBudget, accounts: [], data: data([2], [BigInt(computeUnitLimit), 4]) },
    { program: programs.computeBudget, accounts: [], data: data([3], [computeUnitPrice, 8]) },
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
    data: data([1]),
  }
  const transfer: Instruction = {
    program: programs.token,
    accounts: [
      [source, 'w'],
      [mint, ''],
      [destination, 'w'],
      [from, 's'],
      ...found.map((key) => [key, ''] as const),
    ],
    data: data([12], [amount, 8], [BigInt(usdcDecimals), 1]),
  }
  const note: Instruction[] =
    paymentId === undefined ? [] : [{ program: programs.memo, accounts: [], data: memo }]
  // Solana Pay looks for the memo right before the transfer, x402 for the transfer right behind the budget.
  const instructions =
    layout === 'x402' ? [...budget, transfer, ...note] : [...budget, creation, ...note, transfer]
  const message = encodeMessage({ payer: sponsor, blockhash, instructions })
  const bytes = encodeTransaction({ signatures: [new Uint8Array(64), new Uint8Array(64)], message })
  return {
    transaction: encodeBase64(bytes),
    environment,
    from,
    to,
    amount,
    sponsor,
    paymentId,
    blockhash,
    lastValidBlockHeight,
    computeUnitLimit,
    computeUnitPrice,
    maxFeeLamports,
    ...(found.length > 0 && { references: found }),
    ...(layout === 'solanaPay' && { rent: { lamports: `${rent}` } }),
  }
}

export declare namespace usdcTransfer {
  type Options = {
    environment: Environment
    /** The customer: owner of the USDC, signs. */
    from: AddressLike
    /** The receiving owner, not its token account. */
    to: AddressLike
    /** Raw units; 1 USDC = 1_000_000n. */
    amount: bigint
    /** Pays fee and rent, signs. Never the customer. */
    sponsor: AddressLike
    /** 1 to 500 bytes of UTF-8. Goes into the memo, and so onto the chain for everybody to read. */
    paymentId?: string | undefined
    blockhash: string
    lastValidBlockHeight: number
    /** Known rent of a token account (document 1, section 2.8). Default 2_039_280 lamports. */
    rent?: { lamports: string | number | bigint } | undefined
    /** Read-only keys on the transfer, by which the shop finds it (Solana Pay's `reference`). */
    references?: readonly AddressLike[] | undefined
    /**
     * In which order others want to read it. `solanaPay`, the default: creation of the receiver's token account, memo, transfer.
     * `x402`: transfer, then memo, and no creation, so that the receiver's token account must be there.
     */
    layout?: 'solanaPay' | 'x402' | undefined
    /** Allows a receiver that belongs to a program, such as a multisig vault. Default false. */
    allowOwnerOffCurve?: boolean | undefined
    /** Default 120_000. */
    computeUnitLimit?: number | undefined
    /** Priority fee in micro-lamports a unit. Default 10_000n. */
    computeUnitPrice?: bigint | undefined
    /** The highest fee, in lamports, priority fee included and rent not. Default 100_000n. */
    maxFeeLamports?: bigint | undefined
  }
}

/** Instruction data: a discriminator, then little-endian numbers of so many bytes. */
function data(
  discriminator: readonly number[],
  ...numbers: (readonly [value: bigint, length: number])[]
): Uint8Array {
  return Uint8Array.from([
    ...discriminator,
    ...numbers.flatMap(([value, length]) =>
      Array.from({ length }, (_, i) => Number((value >> BigInt(8 * i)) & 255n)),
    ),
  ])
}

/** An address without a private key where a wallet is needed. */
export class OwnerOffCurveError extends BaseError {
  override readonly name = 'OwnerOffCurveError'
}
