import { Address, type rpc, scValToNative, xdr } from '@stellar/stellar-sdk'
import type { ExpectedTransaction } from '../../../redeemkit/stellar/expected.ts'
import type { StellarNetwork } from '../../../redeemkit/stellar/networks.ts'

/**
 * Whether a transaction that landed has moved the expected USDC, and no other of the customer's: what a call was authorized to
 * take it need not have taken. A classic payment has no second way to succeed, and is taken by its success.
 */
export function movedUsdc(
  landed: rpc.Api.GetSuccessfulTransactionResponse,
  options: { expected: ExpectedTransaction; network: StellarNetwork },
): boolean {
  const { expected, network } = options
  const wanted = expected.kind === 'payment' ? expected : expected.spends
  const isCall = landed.returnValue !== undefined
  if (!isCall && expected.kind === 'payment') return true
  const transfers = eventsOf(landed.resultMetaXdr).flatMap((event) =>
    transferOf(event, network.usdc.contract),
  )
  const own = transfers.filter(({ from }) => from === expected.from)
  if (wanted === undefined) return own.length === 0
  const [paid, ...more] = own
  return more.length === 0 && paid?.to === wanted.to && paid.amount === wanted.amount
}

function eventsOf(meta: xdr.TransactionMeta): readonly xdr.ContractEvent[] {
  if (meta.switch() === 3) return meta.v3().sorobanMeta()?.events() ?? []
  return meta.switch() === 4
    ? meta
        .v4()
        .operations()
        .flatMap((operation) => operation.events())
    : []
}

/** The transfer that an event of USDC's contract tells (CAP-46-6, CAP-67). */
function transferOf(
  event: xdr.ContractEvent,
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
  // To a muxed account the amount stands in a map.
  const amount: unknown = typeof data === 'bigint' ? data : Object(data).amount
  return typeof amount === 'bigint'
    ? [{ from: String(scValToNative(from)), to: String(scValToNative(to)), amount }]
    : []
}
