import type { Asset, rpc, xdr as Xdr } from '@stellar/stellar-sdk'
import { BaseError } from '../../core/errors/baseError.ts'
import { InsufficientUsdcError } from '../../core/errors/transactionErrors.ts'
import { fromSdk, Keypair, xdr } from '../sdk.ts'
import { amountText } from '../values.ts'

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
