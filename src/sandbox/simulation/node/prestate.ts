import { type Hex, isHex } from 'viem'
import { askNode, toQuantity, unusableAnswer } from '../../../redeemkit/evm/client/askNode.ts'
import type { ChainReadError } from '../../../redeemkit/evm/client/chainReadError.ts'
import type { EvmClient } from '../../../redeemkit/evm/client/evmClient.ts'
import { sameAddress } from '../trace/frames.ts'
import { askTracer, callOf, overridesOf, type TriedCall, type traceCall } from './traceCall.ts'

/**
 * The words of a contract's storage that a call reads or writes, as they are before it (`debug_traceCall` with the prestate tracer).
 *
 * @returns none where the node does not tell
 * @throws ChainReadError
 */
export async function slotsRead(
  client: EvmClient,
  options: { of: Hex; call: TriedCall },
): Promise<Readonly<Record<Hex, Hex>>> {
  const { of, call } = options
  const answer = await askNode(
    client,
    'debug_traceCall',
    [
      callOf(call),
      toQuantity(call.blockNumber),
      { tracer: 'prestateTracer', stateOverrides: overridesOf(call) },
    ],
    { isAnswer: () => true },
  )
  // the keys of the answer are addresses
  const accounts = Object.entries(Object(answer)) as [Hex, unknown][]
  const account = accounts.find(([address]) => sameAddress(address, of))?.[1]
  const words = Object.entries(Object(Object(account).storage)).filter(([, word]) => isHex(word))
  // the keys of a storage are slots
  return Object.fromEntries(words) as Record<Hex, Hex>
}

export declare namespace slotsRead {
  type ErrorType = ChainReadError
}

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
