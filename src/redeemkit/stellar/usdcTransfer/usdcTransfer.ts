import type { InvalidAmountError } from '../../core/amount/parseAmount.ts'
import type { InsufficientUsdcError } from '../../core/errors/transactionErrors.ts'
import type { StellarMemo } from '../envelope/memo.ts'
import { type ExpectedTransaction, expectedInvocation } from '../expected.ts'
import { networkOf, type StellarEnvironment } from '../networks.ts'
import { Asset, Operation, StrKey } from '../sdk.ts'
import { WrongPartyError } from '../transaction/errors.ts'
import { guardBuilt } from '../transaction/guardRequest.ts'
import { startTransaction, stellarTransaction } from '../transaction/stellarTransaction.ts'
import { amountText, baseAddress } from '../values.ts'
import { checkTrustlines, type TrustlineError } from './checkTrustlines.ts'

/**
 * Builds a USDC payment: a classic payment to an account, or `transfer` of USDC's contract to a contract.
 *
 * Checks both trustlines first. With `sponsor`, the customer pays no fee: the sponsor is the transaction's source, the
 * customer is the operation's source, and both sign. Without `sponsor`, the customer is the source; `feeBump` can still
 * wrap the transaction.
 *
 * @param options.amount raw units of 7 decimals: 1 USDC is `10_000_000n`
 * @returns the unsigned transaction as base64 XDR, and the `expected` for `signTransaction`
 * @throws `TrustlineError`, `InsufficientUsdcError`, `MissingAccountError`, `InvalidAddressError`,
 * `InvalidAmountError`, `InvalidMemoError` (a payment to a contract takes none), `InvalidOptionError`, `WrongPartyError`
 * @example
 * ```ts
 * import { rpc } from '@stellar/stellar-sdk'
 * import { usdcTransfer } from 'redeemkit/stellar'
 * async function pay(from: string, to: string, sponsor: string) {
 *   const client = new rpc.Server('https://rpc.example')
 *   return usdcTransfer(client, { environment: 'prod', from, to, amount: 40_000_000n, sponsor, memo: 'pay_1' })
 * }
 * ```
 */
export async function usdcTransfer(
  client: usdcTransfer.Client,
  options: usdcTransfer.Options,
): Promise<usdcTransfer.ReturnType> {
  const network = networkOf(options?.environment)
  const { from, to, amount, sponsor, memo } = options
  const receiver = baseAddress(to)
  const expected: ExpectedTransaction = { kind: 'payment', from, to, amount, sponsor, memo }
  if (from === receiver)
    throw new WrongPartyError(`${from} would pay itself.`, { field: 'to', fix: 'Pass another receiver.' })
  expectedInvocation(expected, network)
  const toContract = StrKey.isValidContract(to)
  const asset = new Asset(network.usdc.code, network.usdc.issuer)
  const builder = toContract ? undefined : await startTransaction(client, { ...options, expected, network })
  // A contract has no trustline.
  await checkTrustlines(client, { from, to: toContract ? undefined : receiver, amount, asset })
  if (builder === undefined)
    return { ...(await stellarTransaction(client, { ...options, expected })), expected }

  const operation = Operation.payment({
    destination: to,
    asset,
    amount: amountText(amount),
    ...(sponsor === undefined ? {} : { source: from }),
  })
  const transaction = builder.addOperation(operation).build().toXDR()
  return { transaction: guardBuilt(transaction, { ...options, expected }), expected }
}

export declare namespace usdcTransfer {
  /** The SDK's `rpc.Server`, or an object with the same methods. */
  type Client = stellarTransaction.Client & checkTrustlines.Client
  type Options = startTransaction.Terms & {
    environment: StellarEnvironment
    /** The customer, `G…`. */
    from: string
    /** The receiver: `G…`, `C…`, or a muxed account `M…`, as exchanges use them. */
    to: string
    amount: bigint
    /** The account that pays the network fee. Default: the customer. */
    sponsor?: string | undefined
    /** The payment ID: text of at most 28 bytes; or a numeric ID or a hash, as exchanges use them. */
    memo?: StellarMemo | undefined
  }
  type ReturnType = { transaction: string; expected: ExpectedTransaction; validUntilLedger?: number }
  type ErrorType =
    | TrustlineError
    | InsufficientUsdcError
    | InvalidAmountError
    | WrongPartyError
    | stellarTransaction.ErrorType
}
