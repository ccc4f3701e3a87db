import { type Address, type Hex, hexToBigInt, hexToNumber, isAddress, isHex, toHex } from 'viem'
import { PageRequestError } from '../pageMessages.ts'
import type { Prepared } from './createQueue.ts'

type Node = { request: (call: { method: string; params?: unknown }) => Promise<unknown> }

export type AskedTransaction = {
  from: Address
  to: Address | undefined
  value: bigint
  data: Hex
  gas?: bigint | undefined
}

/** Fields of a plain transaction. Nonce and fees are allowed, but not used. */
const knownFields = [
  ...['from', 'to', 'value', 'data', 'input', 'chainId', 'type', 'nonce'],
  ...['gas', 'gasLimit', 'gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas'],
]

/** Transaction types whose fields the wallet signs completely. */
const plainTypes = [undefined, '0x0', '0x1', '0x2']

/**
 * The wallet itself sets nonce and fees.
 *
 * @throws PageRequestError (-32602) for a malformed field, and for a field that a plain transaction does not have
 */
export function readTransaction(value: unknown, chainId: number): AskedTransaction {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid('params[0]')
  const asked: Record<string, unknown> = { ...value }
  const ownChain =
    asked.chainId === undefined ||
    (isQuantity(asked.chainId) && hexToBigInt(asked.chainId) === BigInt(chainId))
  if (!ownChain)
    throw new PageRequestError('invalidParams', `The transaction is for a different chain than ${chainId}.`)
  // If the request has such a field (an authorization list, Tempo's fee token), the wallet would sign something different.
  const refused = Object.keys(asked).find((name) => asked[name] !== undefined && !knownFields.includes(name))
  if (refused !== undefined)
    throw new PageRequestError('invalidParams', `The wallet does not sign \`${refused}\`.`)
  if (!plainTypes.some((type) => type === asked.type)) throw invalid('type')
  const { from, to, value: amount = '0x0', gas } = asked
  const data = asked.data ?? asked.input ?? '0x'
  if (typeof from !== 'string' || !isAddress(from, { strict: false })) throw invalid('from')
  if (to !== undefined && to !== null && !(typeof to === 'string' && isAddress(to, { strict: false })))
    throw invalid('to')
  if (!isQuantity(amount)) throw invalid('value')
  if (!isHex(data) || data.length % 2 !== 0) throw invalid('data')
  if (gas !== undefined && !isQuantity(gas)) throw invalid('gas')
  return {
    from: from.toLowerCase() as Address, // checked above
    to: typeof to === 'string' ? (to.toLowerCase() as Address) : undefined, // checked above
    value: hexToBigInt(amount),
    data,
    gas: gas === undefined ? undefined : hexToBigInt(gas),
  }
}

const isQuantity = (value: unknown): value is Hex =>
  typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value)

const invalid = (field: string) => new PageRequestError('invalidParams', `\`${field}\` is invalid.`)

/**
 * Never throws: a failure is shown in the window. `leastNonce` follows the nonces that the wallet has signed and the node may not know.
 */
export async function prepareTransactions(
  node: Node,
  asked: readonly AskedTransaction[],
  { leastNonce }: { leastNonce: number },
): Promise<Prepared> {
  try {
    const [count, limits, tip, block] = await Promise.all([
      node.request({ method: 'eth_getTransactionCount', params: [asked[0]?.from, 'pending'] }),
      gasLimits(node, asked),
      node.request({ method: 'eth_maxPriorityFeePerGas' }),
      node.request({ method: 'eth_getBlockByNumber', params: ['latest', false] }),
    ])
    const priority = hexToBigInt(tip as Hex) // a node's response: text of another form throws
    const base = hexToBigInt(Object(block).baseFeePerGas ?? '0x0')
    const firstNonce = Math.max(hexToNumber(count as Hex), leastNonce) // as above
    const limitAt = (at: number) => {
      const limit = limits[at]
      if (limit === undefined) throw new Error('The node did not simulate every call.')
      return limit
    }
    const transactions = asked.map(({ to, value, data, gas }, at) => ({
      nonce: firstNonce + at,
      gas: gas ?? limitAt(at),
      maxPriorityFeePerGas: priority,
      // The base fee rises by an eighth per block, so it doubles in six.
      maxFeePerGas: base * 2n + priority,
      to,
      value,
      data,
    }))
    return { state: 'ready', transactions }
  } catch (error) {
    const reason = error instanceof PageRequestError ? error.message : 'The node gave an invalid response.'
    return { state: 'failed', reason }
  }
}

async function gasLimits(node: Node, asked: readonly AskedTransaction[]): Promise<bigint[]> {
  const calls = asked.map(({ from, to, value, data }) => ({
    from,
    ...(to !== undefined && { to }),
    value: toHex(value),
    data,
  }))
  if (asked.length > 1) return simulatedLimits(node, calls)
  if (asked[0]?.gas !== undefined) return []
  const gas = await node.request({ method: 'eth_estimateGas', params: calls })
  // The limit is a fifth above the estimate, because the state may change until the transaction is mined.
  return [(hexToBigInt(gas as Hex) * 6n) / 5n] // a node's response: invalid text throws
}

/** Simulates the calls in sequence, because a call may need an earlier one, such as an approval. */
async function simulatedLimits(node: Node, calls: readonly object[]): Promise<bigint[]> {
  const simulated = await node.request({
    method: 'eth_simulateV1',
    params: [{ blockStateCalls: [{ calls }] }, 'latest'],
  })
  const results: { status: Hex; gasUsed: Hex; error?: { message?: unknown } }[] = Object(simulated)[0].calls
  return results.map(({ status, gasUsed, error }, at) => {
    if (status !== '0x1')
      throw new PageRequestError('internal', `Call ${at + 1} fails: ${String(error?.message).slice(0, 200)}`)
    // The limit is half above the used gas, because it must also cover refunds and inner calls (EIP-150).
    return (hexToBigInt(gasUsed) * 3n) / 2n
  })
}
