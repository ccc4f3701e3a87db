import type { Hex } from 'viem'
import type { EvmClient } from '../../../redeemkit/evm/client.ts'
import { toQuantity, unusableAnswer } from '../../../redeemkit/evm/client.ts'
import { askTracer, callOf, overridesOf, type TriedCall, type traceCall } from './traceCall.ts'

/** A word of a contract's storage after a call. */
export type StorageChange = { address: Hex; slot: Hex; value: Hex }

/**
 * What a call writes into storage, in the order of addresses and slots, when it is made without sending it (`debug_traceCall`
 * with the prestate tracer). A word that becomes zero is not among it: nodes leave it out.
 *
 * @throws {@link TracingUnavailableError} when the node does not trace; ChainReadError
 */
export async function storageChanges(client: EvmClient, call: TriedCall): Promise<StorageChange[]> {
  const answer = await askTracer(client, 'debug_traceCall', [
    callOf(call),
    toQuantity(call.blockNumber),
    { tracer: 'prestateTracer', tracerConfig: { diffMode: true }, stateOverrides: overridesOf(call) },
  ])
  const { post } = Object(answer)
  if (typeof post !== 'object' || post === null) throw unusableAnswer(answer, 'debug_traceCall')
  return Object.entries(post)
    .flatMap(([address, account]) =>
      // keys of such an answer are addresses and slots; what it holds is only compared
      Object.entries(Object(Object(account).storage)).map(
        ([slot, value]) => ({ address: address.toLowerCase(), slot, value: String(value) }) as StorageChange,
      ),
    )
    .sort((a, b) => (a.address + a.slot < b.address + b.slot ? -1 : 1))
}

export declare namespace storageChanges {
  type ErrorType = traceCall.ErrorType
}
