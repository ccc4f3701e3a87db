import { type Hex, isHex } from 'viem'
import type { ChainReadError, EvmClient } from '../../../redeemkit/evm/client.ts'
import { askNode, toQuantity } from '../../../redeemkit/evm/client.ts'
import { sameAddress } from '../trace/sameAddress.ts'
import { callOf, overridesOf, type TriedCall } from './traceCall.ts'

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
