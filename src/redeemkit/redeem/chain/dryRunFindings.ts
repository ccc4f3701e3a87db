import type { Address, Hex } from 'viem'
import { showText } from '../../core/errors/showValue.ts'
import { type Finding, finding } from '../../core/finding/finding.ts'
import { askNode, type EvmClient } from '../../evm/client.ts'
import { creditsErrorOf } from '../../evm/revert/creditsErrors.ts'
import { type DecodedRevert, decodeRevert } from '../../evm/revert/decodeRevert.ts'
import type { Settlement } from '../../evm/transactionData/settlementOf.ts'
import { decodeEventLog, encodeEventTopics, keccak256, stringToHex } from '../../evm/viem.ts'
import { creditsAbi } from './creditsAbi.ts'

export function findingOfRevert(
  data: Hex,
  { settlement, transactionData }: { settlement: Settlement; transactionData: object },
): Finding {
  const revert = decodeRevert({ data, transactionData })
  const { name = '', inner } = revert
  if (name === 'InvalidPermitSignature')
    return dryRunUnavailable('the node ignored the state override for the wallet')
  const { code = 'CALL_REVERTS', fix } = creditsErrorOf(name) ?? {}
  if (inner === undefined)
    return finding(
      'danger',
      code,
      // The credits contract itself always returns a reason.
      `The redeem would fail: ${data === '0x' ? 'the node returned no reason' : textOf(revert)}.`,
      { field: 'transactionData', fix },
    )
  return finding('danger', code, `The call to ${settlement.target} would revert: ${textOf(inner)}.`, {
    field: 'transactionData',
    fix:
      inner.data === '0x'
        ? `Check whether the contract has the function ${settlement.data.slice(0, 10)}, reverts without a reason, or runs out of gas.`
        : fix,
  })
}

function textOf({ name, args, reason }: DecodedRevert): string {
  return name === 'Error' ? showText(String(args.reason), 300) : reason
}

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
        fix: 'Ask the service to whitelist it. On a sandbox: npx redeemkit whitelist approve. USDC, the credits contract, Permit2 and addresses without code cannot be whitelisted.',
      },
    )
  const isAny = allowed.includes(anySelector)
  return finding(
    'danger',
    'SELECTOR_NOT_WHITELISTED',
    `Contract ${target} is on the whitelist of ${JSON.stringify(creditSeed)}${
      isAny
        ? ` with any function. That does not cover ${selector}, because its data contains further calls.`
        : `, but its function ${selector} is not. Allowed functions: ${allowed.join(', ')}.`
    }`,
    {
      field: 'transactionData',
      fix: isAny
        ? 'Ask the service to whitelist this function.'
        : 'Call an allowed function, or ask the service to whitelist this one.',
    },
  )
}

const anySelector = 'any'

export type WhitelistQuestion = {
  creditsContract: Address
  creditSeed: string
  chainId: bigint
  target: Address
  selector: Hex
}

/** Reads the contract's events. Returns an empty list if the node does not serve them. */
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
      entries.set(args.anySelector ? anySelector : args.selector, args.allowed)
    }
  } catch {
    // Public nodes serve events of a few blocks only, so other entries may exist.
    return []
  }
  return [...entries].flatMap(([selector, isAllowed]) => (isAllowed ? [selector] : []))
}

export function dryRunUnavailable(reason: string): Finding {
  return finding('warning', 'DRY_RUN_UNAVAILABLE', `The dry run was not possible: ${reason}.`, {
    field: 'dryRun',
  })
}
