import type { Hex } from 'viem'
import { askNode, toQuantity } from '../../evm/client/askNode.ts'
import type { ChainReadError } from '../../evm/client/chainReadError.ts'
import type { EvmClient } from '../../evm/client/evmClient.ts'
import { sameAddress } from '../trace/sameAddress.ts'
import { callOf, overridesOf, type TriedCall } from './traceCall.ts'

/**
 * The words of a contract's storage that a call reads or writes (`debug_traceCall` with the prestate tracer).
 *
 * @returns none where the node does not tell
 * @throws ChainReadError
 */
export async function slotsRead(
  client: EvmClient,
  options: { of: Hex; call: TriedCall },
): Promise<readonly Hex[]> {
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
  // the keys of the answer are addresses, and those of a storage are slots
  const accounts = Object.entries(Object(answer)) as [Hex, unknown][]
  const account = accounts.find(([address]) => sameAddress(address, of))?.[1]
  return Object.keys(Object(Object(account).storage)) as Hex[]
}

export declare namespace slotsRead {
  type ErrorType = ChainReadError
}
