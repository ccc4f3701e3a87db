import { encodeFunctionData, type Hex, numberToHex } from 'viem'
import { creditsAbi } from '../../../../contracts/generated/Credits.ts'
import type { EvmClient } from '../../../redeemkit/evm/client.ts'
import { slotsRead } from '../node/slotsRead.ts'
import type { Overrides } from '../run/redeemPlan.ts'
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
  const slots = Object.keys(await slotsRead(client, { of: creditsContract, call }))
  if (slots.length === 0) return undefined
  const overrides = {
    [creditsContract]: { stateDiff: Object.fromEntries(slots.map((slot) => [slot, allowedEntry])) },
  }
  const { isAllowed } = await readEntry(client, { ...options, overrides })
  return isAllowed ? overrides : undefined
}

/** `{ allowed: true, minimumGas: 1 }`, and that there is one entry, packed as the contract packs them. */
const allowedEntry = numberToHex((1n << 72n) | (1n << 8n) | 1n, { size: 32 })
