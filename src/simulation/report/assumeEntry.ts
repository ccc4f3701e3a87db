import { encodeFunctionData, type Hex, numberToHex } from 'viem'
import { creditsAbi } from '../../../contracts/generated/Credits.ts'
import { askNode, toQuantity } from '../../evm/client/askNode.ts'
import type { EvmClient } from '../../evm/client/evmClient.ts'
import { callOf } from '../node/traceCall.ts'
import type { Overrides } from '../run/redeemPlan.ts'
import { sameAddress } from '../trace/sameAddress.ts'
import { type EntryKey, readEntry, reader } from './readChain.ts'

/**
 * The state in which a call is on the whitelist: the words that the credits contract reads for it, as an entry sets them.
 *
 * @returns `undefined` when the node does not tell them, or the contract keeps its whitelist in another way
 */
export async function assumeEntry(
  client: EvmClient,
  options: EntryKey & { selector: Hex; creditsContract: Hex; blockNumber: bigint },
): Promise<Overrides | undefined> {
  const { creditSeed, chainId, target, selector, creditsContract, blockNumber } = options
  const data = encodeFunctionData({
    abi: creditsAbi,
    functionName: 'whitelisted',
    args: [creditSeed, chainId, target, selector],
  })
  const call = { from: reader, to: creditsContract, data, gas: 1_000_000n, blockNumber, overrides: {} }
  const answer = await askNode(
    client,
    'debug_traceCall',
    [callOf(call), toQuantity(blockNumber), { tracer: 'prestateTracer' }],
    { isAnswer: () => true },
  )
  // the keys of the answer are addresses, and those of a storage are slots
  const accounts = Object.entries(Object(answer)) as [Hex, unknown][]
  const account = accounts.find(([address]) => sameAddress(address, creditsContract))?.[1]
  const slots = Object.keys(Object(Object(account).storage)) as Hex[]
  if (slots.length === 0) return undefined
  const overrides = {
    [creditsContract]: { stateDiff: Object.fromEntries(slots.map((slot) => [slot, allowedEntry])) },
  }
  const { isAllowed } = await readEntry(client, { ...options, overrides })
  return isAllowed ? overrides : undefined
}

/** `{ allowed: true, minimumGas: 1 }`, and that there is one entry, packed as the contract packs them. */
const allowedEntry = numberToHex((1n << 72n) | (1n << 8n) | 1n, { size: 32 })
