import { Asset, extractBaseAddress, Keypair, Operation, type rpc, StrKey, xdr } from '@stellar/stellar-sdk'
import { formatAmount } from '../../core/amount/formatAmount.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import type { Clock } from '../../core/time/clock.ts'
import { networkOf, type StellarEnvironment } from '../networks.ts'
import { checkAddress } from '../signer/checkAddress.ts'
import { checkAmount, type ExpectedTransaction } from './expected.ts'
import { guardRequest } from './guardRequest.ts'
import type { StellarMemo } from './memo.ts'
import { WrongAccountError } from './refuseDangers.ts'
import { startTransaction } from './startTransaction.ts'
import { stellarTransaction } from './stellarTransaction.ts'

/**
 * Builds a USDC payment: a classic one to an account, `transfer` of USDC's contract to a contract.
 *
 * Both trustlines are looked at first. With `sponsor` the customer pays no fee: the sponsor is the transaction's source,
 * the customer the operation's, and both sign. Without, the customer is the source; `feeBump` may still wrap it.
 *
 * @param options.amount raw units of 7 decimals: 1 USDC is `10_000_000n`
 * @returns the unsigned transaction as base64 XDR, and what to hand to `signTransaction` as `expected`
 * @throws {@link TrustlineError} {@link InsufficientUsdcError} `MissingAccountError`, `InvalidAddressError`,
 * `InvalidAmountError`, `InvalidMemoError` (a payment to a contract takes none), `InvalidOptionError`, `WrongAccountError`
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
  const { from, to, sponsor, memo } = options
  const amount = checkAmount(options.amount)
  const receiver = StrKey.isValidMed25519PublicKey(to) ? extractBaseAddress(to) : to
  const expected: ExpectedTransaction = { kind: 'payment', from, to, amount, sponsor, memo }
  if (from === receiver)
    throw new WrongAccountError(`${from} would pay itself.`, { field: 'to', fix: 'Name another receiver.' })
  const toContract = StrKey.isValidContract(to)
  checkAddress(from, 'from')
  if (!toContract) checkAddress(receiver, 'to')
  const { code, issuer } = network.usdc
  const asset = new Asset(code, issuer)
  const builder = toContract ? undefined : await startTransaction(client, { ...options, expected, network })
  await checkTrustlines(client, { from, to: toContract ? undefined : receiver, amount, asset })
  if (builder === undefined)
    return { ...(await stellarTransaction(client, { ...options, expected })), expected }

  const operation = Operation.payment({
    destination: to,
    asset,
    amount: formatAmount(amount, { decimals: 7 }),
    ...(sponsor === undefined ? {} : { source: from }),
  })
  const transaction = builder.addOperation(operation).build().toXDR()
  guardRequest(
    { transaction },
    { ...options, expected, address: from, maxValidForSeconds: options.validForSeconds },
  )
  return { transaction, expected }
}

export declare namespace usdcTransfer {
  /** The SDK's `rpc.Server` fits. */
  type Client = stellarTransaction.Client & Pick<rpc.Server, 'getLedgerEntries'>
  type Options = {
    environment: StellarEnvironment
    /** The customer, `G…`. */
    from: string
    /** The receiver: `G…`, `C…`, or `M…`, as exchanges give them. */
    to: string
    amount: bigint
    /** Who pays the network fee. Default: the customer. */
    sponsor?: string | undefined
    /** The payment id, text of at most 28 bytes; or an id or a hash, as exchanges give them. */
    memo?: StellarMemo | undefined
    /** Until when it may be submitted. Default 300. */
    validForSeconds?: number | undefined
    /** Stroops offered for inclusion. Default 100. */
    inclusionFee?: bigint | undefined
    now?: Clock | undefined
  }
  type ReturnType = { transaction: string; expected: ExpectedTransaction; validUntilLedger?: number }
}

/** Whether the sender can pay, and the receiver take it. A contract has no trustline. */
async function checkTrustlines(
  client: usdcTransfer.Client,
  options: { from: string; to: string | undefined; amount: bigint; asset: Asset },
): Promise<void> {
  const { from, to, amount, asset } = options
  const { code, issuer } = asset
  const parties = [['from', from] as const, ...(to === undefined ? [] : [['to', to] as const])]
  const keys = parties.map(([, address]) =>
    xdr.LedgerKey.trustline(
      new xdr.LedgerKeyTrustLine({
        accountId: Keypair.fromPublicKey(address).xdrAccountId(),
        asset: asset.toTrustLineXDRObject(),
      }),
    ),
  )
  const { entries } = await client.getLedgerEntries(...keys)
  for (const [index, [field, address]] of parties.entries()) {
    // The issuer has no trustline to itself.
    if (address === issuer) continue
    const key = keys[index]?.toXDR('base64')
    const line = entries.find((entry) => entry.key.toXDR('base64') === key)?.val.trustLine()
    if (line === undefined)
      throw new TrustlineError(`${address} has no trustline to ${code} of ${issuer}.`, {
        field,
        fix: 'Have the account add the trustline (changeTrust) first; it needs 0.5 XLM of reserve or a sponsor.',
      })
    if ((line.flags() & 1) === 0)
      throw new TrustlineError(`The issuer has not authorized the trustline of ${address}.`, {
        field,
        fix: 'Pay from and to accounts that the issuer of USDC allows.',
      })
    const balance = BigInt(line.balance().toString())
    const liabilities = line.ext().switch() === 1 ? line.ext().v1().liabilities() : undefined
    if (field === 'from' && balance - BigInt(liabilities?.selling().toString() ?? 0) < amount)
      throw new InsufficientUsdcError(
        `${address} has ${formatAmount(balance, { decimals: 7 })} USDC, less than ${formatAmount(amount, { decimals: 7 })}.`,
        { field: 'amount', fix: 'Pay less, or top the account up first.' },
      )
    const room = BigInt(line.limit().toString()) - balance - BigInt(liabilities?.buying().toString() ?? 0)
    if (field === 'to' && room < amount)
      throw new TrustlineError(
        `The trustline of ${address} takes only ${formatAmount(room, { decimals: 7 })} USDC more.`,
        { field, fix: 'Have the receiver raise the limit of its trustline.' },
      )
  }
}

/** A trustline that is missing, not authorized, or full. */
export class TrustlineError extends BaseError {
  override readonly name = 'TrustlineError'
}

/** Less USDC than the payment. */
export class InsufficientUsdcError extends BaseError {
  override readonly name = 'InsufficientUsdcError'
}
