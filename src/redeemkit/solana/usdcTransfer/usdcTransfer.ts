import { formatBase64 } from '../../core/base64.ts'
import type { Environment } from '../../core/blockchains.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { type AddressLike, isOnCurve, isReserved, parseAddress } from '../address.ts'
import { checkChoice, checkOptions, invalidOption } from '../checkOptions.ts'
import { type InvalidBase58Error, parseBase58 } from '../encoding.ts'
import { encodeMessage, encodeTransaction, feeOf } from '../transaction/parseTransaction.ts'
import { programs } from '../transaction/programs.ts'
import {
  checkHeight,
  defaultMaxFeeLamports,
  type ExpectedTransfer,
  maxUnits,
  tokenAccountRent,
  transferInstructions,
  transferTerms,
  unitsFor,
} from './transferTerms.ts'

/** A USDC transfer without signatures. */
export type UsdcTransfer = {
  /** Base64 of the whole transaction, with space for two signatures: sponsor, customer. */
  transaction: string
  environment: Environment
  from: string
  to: string
  /** Raw units; 1 USDC = 1_000_000n. */
  amount: bigint
  sponsor: string
  paymentId: string | undefined
  blockhash: string
  /** Block height after which the transaction can no longer be included. */
  lastValidBlockHeight: number
  computeUnitLimit: number
  computeUnitPrice: bigint
  maxFeeLamports: bigint
  references?: readonly string[] | undefined
  /**
   * Rent that the sponsor pays to create the receiver's token account: the wire format's `rent`, in lamports. Absent in
   * x402's layout, which creates no account.
   */
  rent?: { lamports: string } | undefined
}

/**
 * Builds a USDC transfer that the customer signs. The sponsor pays its fee, so the customer needs no SOL.
 *
 * The transaction has version 0: compute budget, creation of the receiver's token account if it is missing, memo, `TransferChecked`. The
 * instruction that creates the account also makes the transfer fail if the receiver no longer owns it. x402's layout omits it.
 *
 * @returns the transfer; pass it as `expected` to `inspect`, `signUsdcTransfer` and `sponsorUsdcTransfer`
 * @throws {@link InvalidAddressError} {@link InvalidAmountError} {@link OwnerOffCurveError}
 *   {@link InvalidOptionError} {@link UnknownNetworkError} {@link InvalidBase58Error}
 * @example
 * ```ts
 * import { usdcTransfer } from 'redeemkit/solana'
 *
 * declare const latest: { blockhash: string; lastValidBlockHeight: number } // connection.getLatestBlockhash()
 * declare const accounts: { customer: string; merchant: string; sponsor: string }
 * const transfer = usdcTransfer({
 *   environment: 'sandbox',
 *   from: accounts.customer,
 *   to: accounts.merchant,
 *   sponsor: accounts.sponsor,
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
    blockhash,
    lastValidBlockHeight,
    layout = 'solanaPay',
    memoVersion = 3,
  } = checkOptions(options)
  const terms = transferTerms(options)
  const { from, to, amount, references, rent = tokenAccountRent } = terms
  const sponsor = parseAddress(options.sponsor, { field: 'sponsor' })
  checkWallets({ from, to, sponsor }, options.allowOwnerOffCurve === true)
  parseBase58(blockhash, { field: 'blockhash', length: 32 })
  checkHeight(lastValidBlockHeight)
  const memo = memoOf(paymentId)
  checkChoice('memoVersion', memoVersion, [3, 4])
  const units = unitsFor(paymentId ?? '', memoVersion)
  if (units > maxUnits && options.computeUnitLimit === undefined)
    throw invalidOption(
      'paymentId',
      paymentId,
      `The transfer may need ${units} compute units, more than ${maxUnits}: set memoVersion to 4, or use fewer non-ASCII characters.`,
    )
  const budget = checkBudget(options, units)
  checkChoice('layout', layout, ['solanaPay', 'x402'])
  const memoProgram = memoVersion === 3 ? programs.memo : programs.memoV4
  const instructions = transferInstructions({ ...terms, ...budget, sponsor, layout, memo, memoProgram })
  const message = encodeMessage({ payer: sponsor, blockhash, instructions })
  const unsigned = new Uint8Array(64)
  return {
    transaction: formatBase64(encodeTransaction({ signatures: [unsigned, unsigned], message })),
    environment,
    from,
    to,
    amount,
    sponsor,
    paymentId,
    blockhash,
    lastValidBlockHeight,
    ...budget,
    ...(references.length > 0 && { references }),
    ...(layout === 'solanaPay' && { rent: { lamports: `${rent}` } }),
  }
}

export declare namespace usdcTransfer {
  type Options = Pick<
    ExpectedTransfer,
    'environment' | 'from' | 'to' | 'amount' | 'references' | 'maxFeeLamports'
  > & {
    /** The account that pays the fee and the rent, and signs. Never the customer. */
    sponsor: AddressLike
    /** 1 to 500 bytes of UTF-8. Written into the memo, which is public on chain. */
    paymentId?: string | undefined
    blockhash: string
    lastValidBlockHeight: number
    /** Known rent of a token account (PROTOCOL.md 9.3). Default 2_039_280 lamports, the highest ever. */
    rent?: { lamports: string | number | bigint } | undefined
    /**
     * The order of the instructions. `solanaPay`, the default: creation of the receiver's token account, memo, transfer. `x402`: transfer,
     * memo. This order creates no account, so the receiver's token account must exist.
     */
    layout?: 'solanaPay' | 'x402' | undefined
    /** Allows a receiver that belongs to a program, such as a multisig vault. Default false. */
    allowOwnerOffCurve?: boolean | undefined
    /**
     * Memo program for the payment ID. `3`, the default: the version that readers of Solana Pay and x402 expect. `4`:
     * the current version, which uses hardly any compute units.
     */
    memoVersion?: 3 | 4 | undefined
    /**
     * Default: enough for the transfer and four assertions of a wallet (PROTOCOL.md 9.3). A version 3 memo that is longer
     * than 64 characters or not all ASCII adds 360 for each ASCII character, up to 20_000 for an emoji.
     */
    computeUnitLimit?: number | undefined
    /** Priority fee in micro-lamports per compute unit. Default 10_000n. */
    computeUnitPrice?: bigint | undefined
  }
  type ErrorType = transferTerms.ErrorType | OwnerOffCurveError | InvalidBase58Error
}

/** Checks that the customer and the sponsor can sign. The receiver may belong to a program if the caller allows it. */
function checkWallets(
  wallets: { from: string; to: string; sponsor: string },
  allowOwnerOffCurve: boolean,
): void {
  const { from, to, sponsor } = wallets
  for (const [field, key] of Object.entries(wallets))
    if (!(field === 'to' && allowOwnerOffCurve) && !isOnCurve(parseBase58(key, { field })))
      throw new OwnerOffCurveError(
        `${key} has no private key: it belongs to a program, or is a token account.`,
        {
          field,
          fix:
            field === 'to'
              ? "Pass the receiving wallet, not its token account. For a program's vault, set allowOwnerOffCurve."
              : 'Pass an address that can sign.',
        },
      )
  for (const [field, key] of Object.entries(wallets))
    if (isReserved(key) || (field === 'sponsor' && from === sponsor) || (field === 'to' && from === to))
      throw new InvalidAddressError(`${key} is not allowed as ${field}.`, {
        field,
        fix: 'The customer must differ from the receiver and the sponsor. None of them may be a program or a mint.',
      })
}

function checkBudget(
  options: Pick<usdcTransfer.Options, 'computeUnitLimit' | 'computeUnitPrice' | 'maxFeeLamports'>,
  defaultLimit: number,
) {
  const {
    computeUnitLimit = defaultLimit,
    computeUnitPrice = 10_000n,
    maxFeeLamports = defaultMaxFeeLamports,
  } = options
  if (!Number.isInteger(computeUnitLimit) || computeUnitLimit < 1 || computeUnitLimit > maxUnits)
    throw invalidOption('computeUnitLimit', computeUnitLimit, 'Pass 1 to 1_400_000 units.')
  if (typeof computeUnitPrice !== 'bigint' || computeUnitPrice < 0n || computeUnitPrice >= 1n << 64n)
    throw invalidOption(
      'computeUnitPrice',
      computeUnitPrice,
      'Pass micro-lamports per compute unit as a bigint.',
    )
  const fee = feeOf({ signatures: 2, units: computeUnitLimit, microLamports: computeUnitPrice })
  if (typeof maxFeeLamports !== 'bigint' || fee > maxFeeLamports)
    throw invalidOption(
      'maxFeeLamports',
      maxFeeLamports,
      `The fee is ${fee} lamports. Allow at least this amount as a bigint, or lower computeUnitPrice.`,
    )
  return { computeUnitLimit, computeUnitPrice, maxFeeLamports }
}

function memoOf(paymentId: string | undefined): Uint8Array | undefined {
  if (paymentId === undefined) return undefined
  const memo = new TextEncoder().encode(typeof paymentId === 'string' ? paymentId : '')
  // An unpaired surrogate would be encoded as another character.
  if (memo.length < 1 || memo.length > 500 || /\p{Cs}/u.test(paymentId))
    throw invalidOption('paymentId', paymentId, 'Pass 1 to 500 bytes of UTF-8, or omit it.')
  return memo
}

/** The caller passed an address without a private key as a wallet. */
export class OwnerOffCurveError extends BaseError {
  override readonly name = 'OwnerOffCurveError'
}
