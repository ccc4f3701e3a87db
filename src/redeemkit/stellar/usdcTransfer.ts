import type { rpc, xdr as Xdr } from '@stellar/stellar-sdk'
import type { InvalidAmountError } from '../core/amount.ts'
import { BaseError } from '../core/errors/baseError.ts'
import { InsufficientUsdcError } from '../core/errors/transactionErrors.ts'
import type { StellarMemo } from './envelope/envelope.ts'
import { type ExpectedTransaction, expectedInvocation, WrongPartyError } from './expected.ts'
import { networkOf, type StellarEnvironment } from './networks.ts'
import { Asset, fromSdk, Keypair, Operation, StrKey, xdr } from './sdk.ts'
import { guardBuilt } from './transaction/guardRequest.ts'
import { startTransaction, stellarTransaction } from './transaction/stellarTransaction.ts'
import { amountText, baseAddress } from './values.ts'

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

const fullAuthorization = 1

/** Checks that the sender can pay and that the receiver can receive. */
export async function checkTrustlines(
  client: checkTrustlines.Client,
  options: { from: string; to: string | undefined; amount: bigint; asset: Asset },
): Promise<void> {
  const { from, to, amount, asset } = options
  const read = await readTrustlines(client, [from, to], asset)
  for (const [field, address] of [
    ['from', from],
    ['to', to],
  ] as const) {
    // The issuer has no trustline to its own asset.
    if (address === undefined || address === asset.issuer) continue
    const line = read(address)
    if (line === undefined)
      throw new TrustlineError(`${address} has no trustline to ${asset.code} of ${asset.issuer}.`, {
        field,
        fix: 'Have the account add the trustline (changeTrust), which needs 0.5 XLM of reserve or a sponsor.',
      })
    if ((line.flags() & fullAuthorization) === 0)
      throw new TrustlineError(`The issuer has not authorized the trustline of ${address}.`, {
        field,
        fix: 'Pay from and to accounts that the issuer of USDC allows.',
      })
    const balance = BigInt(line.balance().toString())
    const liabilities = line.ext().switch() === 1 ? line.ext().v1().liabilities() : undefined
    const [selling, buying] = [liabilities?.selling(), liabilities?.buying()].map((of) =>
      BigInt(of?.toString() ?? 0),
    ) as [bigint, bigint] // The result has as many trustlines as addresses were passed.
    if (field === 'from' && balance - selling < amount)
      throw new InsufficientUsdcError(
        `${address} has ${amountText(balance)} USDC, less than ${amountText(amount)}.`,
        { field: 'amount', fix: 'Pay less, or add USDC first.' },
      )
    const space = BigInt(line.limit().toString()) - balance - buying
    if (field === 'to' && space < amount)
      throw new TrustlineError(`The trustline of ${address} accepts only ${amountText(space)} more USDC.`, {
        field,
        fix: 'Have the receiver raise the limit of its trustline.',
      })
  }
}

export declare namespace checkTrustlines {
  type Client = Pick<rpc.Server, 'getLedgerEntries'>
}

/** Reads all trustlines in one request. Returns a function that looks up the trustline of an address. */
async function readTrustlines(
  client: checkTrustlines.Client,
  addresses: readonly (string | undefined)[],
  asset: Asset,
): Promise<(address: string) => Xdr.TrustLineEntry | undefined> {
  const keyOf = (address: string) => trustlineKeyOf(address, asset)
  const { entries } = await fromSdk(client).getLedgerEntries(
    ...addresses.filter((address) => address !== undefined).map(keyOf),
  )
  return (address) => {
    const key = keyOf(address).toXDR('base64')
    return entries.find((entry) => entry.key.toXDR('base64') === key)?.val.trustLine()
  }
}

/** A trustline is missing, not authorized, or full. */
export class TrustlineError extends BaseError {
  override readonly name = 'TrustlineError'
}

export function trustlineKeyOf(address: string, asset: Asset): Xdr.LedgerKey {
  return xdr.LedgerKey.trustline(
    new xdr.LedgerKeyTrustLine({
      accountId: Keypair.fromPublicKey(address).xdrAccountId(),
      asset: asset.toTrustLineXDRObject(),
    }),
  )
}
