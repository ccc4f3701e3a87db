import type { Address, Hex } from 'viem'
import { askNode, toQuantity, unusableAnswer } from './askNode.ts'
import type { EvmClient } from './evmClient.ts'

/**
 * Whether there is code at an address: a contract, or a key-held account that delegates by EIP-7702.
 *
 * @throws {@link ChainReadError} when the node does not answer, or answers something else
 */
export async function hasCode(client: EvmClient, address: Address): Promise<boolean> {
  const code = await askBytes(client, 'eth_getCode', [address, 'latest'])
  return code !== '0x'
}

/**
 * `eth_call`, on the latest block unless another is named.
 *
 * @returns what the call returned; `undefined` when it reverted
 * @throws {@link ChainReadError} when the node does not answer, or answers something else
 */
export async function callContract(
  client: EvmClient,
  call: { to?: Address | undefined; data: Hex },
  at: { blockNumber?: bigint | undefined; field?: string | undefined } = {},
): Promise<Hex | undefined> {
  const block = at.blockNumber === undefined ? 'latest' : toQuantity(at.blockNumber)
  return askBytes(client, 'eth_call', [call, block], {
    isAnswer: isRevert,
    field: at.field,
  })
}

async function askBytes(
  client: EvmClient,
  method: string,
  params: readonly unknown[],
  options: askNode.Options = {},
): Promise<Hex | undefined> {
  const answer = await askNode(client, method, params, options)
  if (answer === undefined && options.isAnswer !== undefined) return undefined
  if (typeof answer !== 'string' || !/^0x(?:[0-9a-fA-F]{2})*$/.test(answer))
    throw unusableAnswer(answer, method, options.field ?? 'client')
  // the pattern has just proved the 0x that the type asks for
  return answer as Hex
}

const revertWords =
  /revert|invalid opcode|out of gas|VM execution|EVM error|stack (?:under|over)flow|invalid jump/i

/** Whether a node's error says that the call itself failed, and not that the node could not be asked. */
export function isRevert(error: unknown): boolean {
  return errorSays(error, revertWords, 3)
}

/** Whether a node's error says that the call used up its gas. */
export function isOutOfGas(error: unknown): boolean {
  return errorSays(error, /out of gas/i)
}

/** Whether an error, or what it was caused by, has a code or words in its message. */
function errorSays(error: unknown, words: RegExp, wanted?: number): boolean {
  let current: unknown = error
  try {
    for (let depth = 0; depth < 8 && typeof current === 'object' && current !== null; depth++) {
      const { code, message, details } = current as Partial<Record<'code' | 'message' | 'details', unknown>> // read only, each checked
      if (wanted !== undefined && code === wanted) return true
      if ([message, details].some((text) => typeof text === 'string' && words.test(text))) return true
      current = 'cause' in current ? current.cause : undefined
    }
  } catch {
    // an error that breaks while it is read says nothing
  }
  return false
}
