import type { rpc as Rpc, xdr as Xdr } from '@stellar/stellar-sdk'
import type { ExpectedTransaction } from '../../../redeemkit/stellar/expected.ts'
import type { StellarNetwork } from '../../../redeemkit/stellar/networks.ts'
import { Address, scValToNative, xdr } from '../../../redeemkit/stellar/sdk.ts'

/**
 * Whether an applied transaction moved exactly the expected USDC: a contract call may take less than the customer authorized. A successful
 * classic payment always moves the exact amount.
 */
export function movedUsdc(
  included: Rpc.Api.GetSuccessfulTransactionResponse,
  options: { expected: ExpectedTransaction; network: StellarNetwork },
): boolean {
  const { expected, network } = options
  const wanted = expected.kind === 'payment' ? expected : expected.spends
  const isCall = included.returnValue !== undefined
  if (!isCall && expected.kind === 'payment') return true
  const transfers = eventsOf(included.resultMetaXdr).flatMap((event) =>
    transferOf(event, network.usdc.contract),
  )
  const own = transfers.filter(({ from }) => from === expected.from)
  if (wanted === undefined) return own.length === 0
  const [paid, ...more] = own
  return more.length === 0 && paid?.to === wanted.to && paid.amount === wanted.amount
}

function eventsOf(meta: Xdr.TransactionMeta): readonly Xdr.ContractEvent[] {
  if (meta.switch() === 3) return meta.v3().sorobanMeta()?.events() ?? []
  return meta.switch() === 4
    ? meta
        .v4()
        .operations()
        .flatMap((operation) => operation.events())
    : []
}

/** Reads an event of the USDC contract (CAP-46-6, CAP-67). */
function transferOf(
  event: Xdr.ContractEvent,
  contract: string,
): { from: string; to: string; amount: bigint }[] {
  const id = event.contractId()
  const [name, from, to] = event.body().v0().topics()
  if (
    id === null ||
    !name ||
    !from ||
    !to ||
    Address.fromScAddress(xdr.ScAddress.scAddressTypeContract(id)).toString() !== contract
  )
    return []
  if (scValToNative(name) !== 'transfer') return []
  const data: unknown = scValToNative(event.body().v0().data())
  // For a muxed receiver, the event's data is a map that contains the amount.
  const amount: unknown = typeof data === 'bigint' ? data : Object(data).amount
  return typeof amount === 'bigint'
    ? [{ from: String(scValToNative(from)), to: String(scValToNative(to)), amount }]
    : []
}
