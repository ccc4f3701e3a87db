import { getAddress, type Hex, isHex, zeroAddress } from 'viem'
import { askNode, unusableAnswer } from '../../../redeemkit/evm/client/askNode.ts'
import { ChainReadError } from '../../../redeemkit/evm/client/chainReadError.ts'
import { settlementKinds } from '../../../redeemkit/evm/transactionData/settlementKinds.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import type { CallFrame } from '../../simulation/redeemReport.ts'
import { type RedeemRequest, redeemCall } from '../../simulation/redeemRequest.ts'
import { ruleCatalogue } from '../../simulation/rules/ruleCatalogue.ts'
import { coinsFix } from '../../simulation/rules/staysBehind.ts'
import { coinsGained, tokenMoves } from '../../simulation/trace/tokenMoves.ts'
import { problem } from '../http/problem.ts'
import type { Service } from '../service.ts'

/**
 * Refuses a redeem that would go through and leave a token, or ERC-20 tokens, behind: with the credits contract, which called the
 * merchant's, or with an account that relays (PROTOCOL.md 6.4). Whoever pays would get nothing.
 *
 * Asks the node for the events of a run, once. A node that has no `eth_simulateV1` is told of, and the redeem goes on.
 *
 * @throws ServiceProblem `SIMULATION_FAILED`
 */
export async function refuseLeftBehind(
  service: Pick<Service, 'onError'>,
  chain: EvmChain,
  options: refuseLeftBehind.Options,
): Promise<void> {
  const { request } = options
  const { kind } = request.settlement
  if (kind === settlementKinds.token || kind === settlementKinds.decent) return
  const logs = await logsOf(service, chain, options)
  const left = logs && leftBehind(logs, chain, request.permit.customerWallet)
  if (left === undefined) return
  const { what, fix, holder } = left
  const isContract = isSame(holder, chain.creditsContract)
  const message = `${what} would stay with ${isContract ? 'the credits contract, which calls the merchant’s' : `tx.origin, the relayer ${holder}`}: the customer would pay and not get it.`
  throw problem('SIMULATION_FAILED', `The redeem is refused: ${message} ${fix}`, {
    details: {
      revertReason: message,
      findings: [{ severity: 'danger', code, message, fix }],
    },
  })
}

export declare namespace refuseLeftBehind {
  type Options = {
    request: RedeemRequest
    stateOverride?: readonly { address: Hex; code: Hex }[] | undefined
  }
}

const isSame = (one: Hex, other: Hex) => one.toLowerCase() === other.toLowerCase()

/** The first that one who only passes things on has more of than before. */
function leftBehind(logs: CallFrame['logs'], chain: EvmChain, wallet: Hex): Left | undefined {
  const passing = [
    chain.creditsContract,
    chain.operator.address,
    ...chain.relayers.map(({ address }) => address),
  ].filter((account) => !isSame(account, wallet))
  const token = tokenLeft(logs, passing)
  if (token !== undefined) {
    const { standard, id, contract, holder } = token
    return { holder, what: `${standard} token ${id} of ${getAddress(contract)}`, fix: tokenFix }
  }
  for (const holder of passing) {
    const [coins] = coinsGained({ ...wholeRun, logs }, { account: holder, usdc: chain.usdc })
    if (coins === undefined) continue
    const what = `${coins.amount} raw units of the ERC-20 token ${getAddress(coins.token)}`
    return { holder, what, fix: coinsFix }
  }
  return undefined
}

type Left = { holder: Hex; what: string; fix: string }

function tokenLeft(logs: CallFrame['logs'], passing: readonly Hex[]): TokenLeft | undefined {
  const held = new Map<string, TokenLeft>()
  for (const move of tokenMoves({ ...wholeRun, logs }))
    for (const [holder, sign] of [
      [move.from, -1n],
      [move.to, 1n],
    ] as const) {
      if (!passing.some((one) => isSame(one, holder))) continue
      const key = `${move.contract}/${move.id}/${holder}`
      const amount = (held.get(key)?.amount ?? 0n) + sign * move.amount
      held.set(key, { ...move, holder, amount })
    }
  return [...held.values()].find(({ amount }) => amount > 0n)
}

type TokenLeft = {
  standard: 'ERC-721' | 'ERC-1155'
  contract: Hex
  id: bigint
  holder: Hex
  amount: bigint
}

/** A run of which only the events are known: as one call. */
const wholeRun: CallFrame = {
  type: 'CALL',
  from: zeroAddress,
  to: undefined,
  value: 0n,
  input: '0x',
  output: '0x',
  gas: 0n,
  gasUsed: 0n,
  text: undefined,
  failure: undefined,
  logs: [],
  calls: [],
}

const code = 'NFT_STAYS_BEHIND'
const tokenFix = ruleCatalogue.find((rule) => rule.code === code)?.fix ?? ''

/** The events of a run that goes through; undefined when it does not, which others say, or when the node tells none. */
async function logsOf(
  service: Pick<Service, 'onError'>,
  chain: EvmChain,
  { request, stateOverride = [] }: refuseLeftBehind.Options,
): Promise<CallFrame['logs'] | undefined> {
  if (performance.now() < (leftAloneUntil.get(chain) ?? 0)) return undefined
  const call = { from: chain.operator.address, ...redeemCall(chain, request) }
  const stateOverrides = Object.fromEntries(stateOverride.map(({ address, code }) => [address, { code }]))
  try {
    const answer = await askNode(chain.client, 'eth_simulateV1', [
      { blockStateCalls: [{ calls: [call], stateOverrides }] },
      'latest',
    ])
    const [block] = Array.isArray(answer) ? answer.map(Object) : []
    const [run] = Array.isArray(block?.calls) ? block.calls.map(Object) : []
    if (!Array.isArray(run?.logs)) throw unusableAnswer(answer, 'eth_simulateV1')
    return run.logs.map(readLog)
  } catch (cause) {
    leftAloneUntil.set(chain, performance.now() + leaveAloneMs)
    service.onError?.(
      new ChainReadError(
        'The node did not tell the events of a redeem before it is sent: nothing says whether a token would stay behind.',
        { cause },
      ),
    )
    return undefined
  }
}

/** A node that refuses is left alone for a while. */
const leftAloneUntil = new WeakMap<EvmChain, number>()
const leaveAloneMs = 10_000

function readLog(value: unknown): CallFrame['logs'][number] {
  const { address, topics, data } = Object(value)
  const isHexText = (text: unknown) => isHex(text)
  if (!isHexText(address) || !isHexText(data) || !Array.isArray(topics) || !topics.every(isHexText))
    throw unusableAnswer(value, 'eth_simulateV1')
  return { address, topics, data, text: undefined }
}
