import type { Address, Hex } from 'viem'
import { type Finding, finding } from '../../core/finding/finding.ts'
import type { EvmClient } from '../../evm/client.ts'
import { askNode } from '../../evm/client.ts'
import { decodeEventLog, encodeEventTopics, keccak256, stringToHex } from '../../evm/viem.ts'
import { creditsAbi } from './creditsAbi.ts'

/** What a call lacks that is not on the whitelist: an entry for its target, or only one for its function. */
export async function findingOfWhitelist(client: EvmClient, call: WhitelistQuestion): Promise<Finding> {
  const { creditSeed, chainId, target, selector } = call
  const allowed = await allowedSelectors(client, call)
  if (allowed.length === 0)
    return finding(
      'danger',
      'NOT_WHITELISTED',
      `Contract ${target} on chain ${chainId} is not on the whitelist of ${JSON.stringify(creditSeed)} for function ${selector}.`,
      {
        field: 'transactionData',
        fix: 'Ask the service to whitelist it. USDC, the credits contract, Permit2 and addresses without code can have no entry.',
      },
    )
  return finding(
    'danger',
    'SELECTOR_NOT_WHITELISTED',
    `Contract ${target} is on the whitelist of ${JSON.stringify(creditSeed)}, its function ${selector} is not: ${allowed.join(', ')} may be called.`,
    {
      field: 'transactionData',
      fix: 'Call an allowed function, or ask the service to whitelist this one.',
    },
  )
}

/** What is asked of the whitelist. */
export type WhitelistQuestion = {
  creditsContract: Address
  creditSeed: string
  chainId: bigint
  target: Address
  selector: Hex
}

/** What the merchant's entries allow of the target, by the contract's events; none where the node does not tell them. */
async function allowedSelectors(
  client: EvmClient,
  { creditsContract, creditSeed, chainId, target }: WhitelistQuestion,
): Promise<string[]> {
  const creditSeedHash = keccak256(stringToHex(creditSeed))
  const topics = encodeEventTopics({
    abi: creditsAbi,
    eventName: 'WhitelistSet',
    args: { creditSeedHash, chainId, target },
  })
  const entries = new Map<string, boolean>()
  try {
    const filter = { address: creditsContract, topics, fromBlock: '0x0', toBlock: 'latest' }
    const logs = await askNode(client, 'eth_getLogs', [filter], { field: 'dryRun' })
    for (const { topics: own, data } of Array.isArray(logs) ? logs.map(Object) : []) {
      const { args } = decodeEventLog({ abi: creditsAbi, topics: own, data })
      entries.set(args.anySelector ? 'any other' : args.selector, args.allowed)
    }
  } catch {
    // Public nodes give events of a few blocks only: then it is not known that there is an entry for another function.
    return []
  }
  return [...entries].flatMap(([selector, isAllowed]) => (isAllowed ? [selector] : []))
}
