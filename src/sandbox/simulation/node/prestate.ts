import { type Hex, isHex } from 'viem'
import type { ChainReadError, EvmClient } from '../../../redeemkit/evm/client.ts'
import { askNode, toQuantity, unusableAnswer } from '../../../redeemkit/evm/client.ts'
import { sameAddress } from '../trace/frames.ts'
import { askTracer, callOf, overridesOf, type SimulatedCall } from './traceCall.ts'

/**
 * Returns the storage slots of a contract that a call reads or writes, with their values before the call
 * (`debug_traceCall` with the prestate tracer).
 *
 * @returns an empty record if the node has no prestate tracer
 */
export async function slotsRead(
  client: EvmClient,
  options: { of: Hex; call: SimulatedCall },
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
  // Its keys are addresses.
  const accounts = Object.entries(Object(answer)) as [Hex, unknown][]
  const account = accounts.find(([address]) => sameAddress(address, of))?.[1]
  const words = Object.entries(Object(Object(account).storage)).filter(([, word]) => isHex(word))
  return Object.fromEntries(words) as Record<Hex, Hex>
}

export declare namespace slotsRead {
  type ErrorType = ChainReadError
}

export type StorageChange = { address: Hex; slot: Hex; value: Hex }

/**
 * Returns the storage slots that a simulated call writes, ordered by address and slot (`debug_traceCall` with the
 * prestate tracer). Nodes omit slots that become zero.
 */
export async function storageChanges(client: EvmClient, call: SimulatedCall): Promise<StorageChange[]> {
  const answer = await askTracer(client, 'debug_traceCall', [
    callOf(call),
    toQuantity(call.blockNumber),
    { tracer: 'prestateTracer', tracerConfig: { diffMode: true }, stateOverrides: overridesOf(call) },
  ])
  const { post } = Object(answer)
  if (typeof post !== 'object' || post === null) throw unusableAnswer(answer, 'debug_traceCall')
  return Object.entries(post)
    .flatMap(([address, account]) =>
      // Keys are addresses and slots; values are only compared.
      Object.entries(Object(Object(account).storage)).map(
        ([slot, value]) => ({ address: address.toLowerCase(), slot, value: String(value) }) as StorageChange,
      ),
    )
    .sort((a, b) => (a.address + a.slot < b.address + b.slot ? -1 : 1))
}
