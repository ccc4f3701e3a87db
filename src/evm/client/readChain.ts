import type { Address, Hex } from 'viem'
import { BaseError } from '../../core/errors/baseError.ts'
import { safeCause } from '../../core/errors/safeCause.ts'
import { showValue } from '../../core/errors/showValue.ts'
import type { EvmClient } from './evmClient.ts'

/**
 * Whether there is code at an address: a contract, or a key-held account that delegates by EIP-7702.
 *
 * @throws {@link ChainReadError} when the node does not answer, or answers something else
 */
export async function hasCode(client: EvmClient, address: Address): Promise<boolean> {
  const code = await ask(client, 'eth_getCode', [address, 'latest'])
  return code !== '0x'
}

/**
 * `eth_call` on the latest block.
 *
 * @returns what the call returned; `undefined` when it reverted
 * @throws {@link ChainReadError} when the node does not answer, or answers something else
 */
export async function callContract(
  client: EvmClient,
  call: { to?: Address | undefined; data: Hex },
): Promise<Hex | undefined> {
  return ask(client, 'eth_call', [call, 'latest'], {
    isAnswer: isRevert,
    // Longer than a selector and two words, it may hold a signature, and libraries show what they sent.
    secrets: call.data.length > 2 + 2 * 68 ? [call.data.slice(2)] : [],
  })
}

async function ask(
  client: EvmClient,
  method: string,
  params: unknown,
  options: { isAnswer?: (error: unknown) => boolean; secrets?: readonly string[] } = {},
): Promise<Hex | undefined> {
  if (typeof client?.request !== 'function')
    throw new ChainReadError('The client has no "request" function.', {
      field: 'client',
      fix: 'Give a viem client or an EIP-1193 provider.',
      docs: 'EIP-1193',
    })
  let answer: unknown
  try {
    answer = await client.request({ method, params })
  } catch (cause) {
    if (options.isAnswer?.(cause)) return undefined
    throw new ChainReadError(`The node did not answer ${method}.`, {
      field: 'client',
      fix: 'Check the address of the node and try again: reading changes nothing.',
      cause: safeCause(cause, options.secrets ?? []),
    })
  }
  if (typeof answer !== 'string' || !/^0x(?:[0-9a-fA-F]{2})*$/.test(answer))
    throw new ChainReadError(`The node answered ${method} with ${showValue(answer)}, not with bytes.`, {
      field: 'client',
      fix: 'Check that it is the JSON-RPC address of an Ethereum node.',
    })
  // the pattern has just proved the 0x that the type asks for
  return answer as Hex
}

const revertWords =
  /revert|invalid opcode|out of gas|VM execution|EVM error|stack (?:under|over)flow|invalid jump/i

/** Whether a node's error says that the call itself failed, and not that the node could not be asked. */
function isRevert(error: unknown): boolean {
  let current: unknown = error
  try {
    for (let depth = 0; depth < 8 && typeof current === 'object' && current !== null; depth++) {
      const { code, message, details } = current as Partial<Record<'code' | 'message' | 'details', unknown>> // read only, each checked
      if (code === 3) return true
      if ([message, details].some((text) => typeof text === 'string' && revertWords.test(text))) return true
      current = 'cause' in current ? current.cause : undefined
    }
  } catch {
    // an error that breaks while it is read says nothing
  }
  return false
}

/** A chain that could not be read. */
export class ChainReadError extends BaseError {
  override readonly name = 'ChainReadError'
}
