import { and, eq } from 'drizzle-orm'
import { getAddress, type Hex, isHex, zeroAddress } from 'viem'
import { ChainReadError, type EvmClient, unusableAnswer } from '../../../redeemkit/evm/client.ts'
import { orderKeyOf } from '../../../redeemkit/evm/creditPermit/orderKey.ts'
import { orderState } from '../../../redeemkit/evm/creditPermit/orderState.ts'
import { shapeOf } from '../../../redeemkit/evm/transactionData/settlementOf.ts'
import { sameHex } from '../../../redeemkit/evm/values.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { readCredits, readUsdcBalance } from '../../contracts/creditsReads.ts'
import { receiptOf } from '../../relayer/relayerChain.ts'
import type { CallFrame } from '../../simulation/redeemReport.ts'
import { type RedeemRequest, redeemCall } from '../../simulation/redeemRequest.ts'
import { ruleCatalogue } from '../../simulation/rules/ruleCatalogue.ts'
import { coinsFix } from '../../simulation/rules/staysBehind.ts'
import { coinsGained, tokenMoves } from '../../simulation/trace/moves.ts'
import { isOneOf } from '../../store/statement.ts'
import { openRedeemStates } from '../../store/states.ts'
import { merchants, redeems } from '../../store/tables/index.ts'
import { hasTimedOut, problem } from '../http/problem.ts'
import type { Service } from '../service.ts'
import type { StoredRedeem } from './lookUpRedeem.ts'
import { insufficientCredits } from './simulationProblem.ts'

/**
 * Rejects a redeem that would leave tokens with the credits contract or a relayer account (PROTOCOL.md 6.4). Without `eth_simulateV1`,
 * this is reported and the redeem continues; if the node does not respond in time, the redeem fails.
 */
export async function refuseLeftBehind(
  service: Pick<Service, 'onError'>,
  chain: EvmChain,
  options: refuseLeftBehind.Options,
): Promise<void> {
  const { request } = options
  if (shapeOf(request.settlement)?.does !== 'call') return
  const logs = await logsOf(service, chain, options)
  const left = logs && leftBehind(logs, chain, request.permit.customerWallet)
  if (left === undefined) return
  const { what, fix, holder } = left
  const isContract = sameHex(holder, chain.creditsContract)
  const message = `${what} would stay with ${isContract ? 'the credits contract, which calls the merchant’s contract' : `tx.origin, the relayer ${holder}`}: the customer would pay without receiving it.`
  throw problem('SIMULATION_FAILED', `The redeem was rejected: ${message} ${fix}`, {
    details: { revertReason: message, findings: [{ severity: 'danger', code, message, fix }] },
  })
}

export declare namespace refuseLeftBehind {
  type Options = {
    request: RedeemRequest
    stateOverride?: readonly { address: Hex; code: Hex }[] | undefined
  }
}

function leftBehind(logs: CallFrame['logs'], chain: EvmChain, wallet: Hex): Left | undefined {
  const passing = [
    chain.creditsContract,
    chain.operator.address,
    ...chain.relayers.map(({ address }) => address),
  ].filter((account) => !sameHex(account, wallet))
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
      if (!passing.some((one) => sameHex(one, holder))) continue
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

/** A placeholder call, because `tokenMoves` reads only the logs. */
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

/** Returns the events of a simulation; undefined if it fails, which other checks report, or if the node returns no events. */
const logsOf = ifSupported(
  'The node returned no events for the simulated redeem, so tokens that would be left behind cannot be detected.',
  async (chain, { request, stateOverride = [] }: refuseLeftBehind.Options): Promise<CallFrame['logs']> => {
    const call = { from: chain.operator.address, ...redeemCall(chain, request) }
    const stateOverrides = Object.fromEntries(stateOverride.map(({ address, code }) => [address, { code }]))
    const node: EvmClient = chain.client
    const params = [{ blockStateCalls: [{ calls: [call], stateOverrides }] }, 'latest']
    const answer = await node.request({ method: 'eth_simulateV1', params })
    const [block] = Array.isArray(answer) ? answer.map(Object) : []
    const [run] = Array.isArray(block?.calls) ? block.calls.map(Object) : []
    if (!Array.isArray(run?.logs)) throw unusableAnswer(answer, 'eth_simulateV1')
    return run.logs.map(readLog)
  },
)

/** Wraps a query that not every node supports. If it fails, reports that once, and returns undefined for ten seconds. */
export function ifSupported<question, answer>(
  failure: string,
  ask: (chain: EvmChain, question: question) => Promise<answer>,
) {
  const leftAloneUntil = new WeakMap<EvmChain, number>()
  return async (service: Pick<Service, 'onError'>, chain: EvmChain, question: question) => {
    if (performance.now() < (leftAloneUntil.get(chain) ?? 0)) return undefined
    try {
      return await ask(chain, question)
    } catch (cause) {
      if (hasTimedOut(cause)) throw cause
      leftAloneUntil.set(chain, performance.now() + 10_000)
      service.onError?.(new ChainReadError(failure, { cause }))
      return undefined
    }
  }
}

function readLog(value: unknown): CallFrame['logs'][number] {
  const { address, topics, data } = Object(value)
  const isHexText = (text: unknown) => isHex(text)
  if (!isHexText(address) || !isHexText(data) || !Array.isArray(topics) || !topics.every(isHexText))
    throw unusableAnswer(value, 'eth_simulateV1')
  return { address, topics, data, text: undefined }
}

/**
 * Rejects a redeem that depends on funds that the wallet's pending redeems will spend: it would revert at the operator's cost. Hold the
 * wallet's lock from this call until the redeem is in the journal.
 */
export async function checkUnderway(
  service: Service,
  { chain, wallet, creditSeed, charged, usdcAmount }: checkUnderway.Options,
): Promise<void> {
  const database = await service.database()
  const sending = await database
    .select({ redeem: redeems, creditSeed: merchants.creditSeed })
    .from(redeems)
    .innerJoin(merchants, eq(merchants.merchantId, redeems.merchantId))
    .where(
      and(
        eq(redeems.blockchain, chain.blockchain),
        eq(redeems.wallet, wallet),
        isOneOf(redeems.status, openRedeemStates),
      ),
    )
  // All reads use the same block, so that a redeem that is mined during the reads counts once. The balances also reflect redeems
  // that ended after the simulation.
  const blockNumber = await chain.client.getBlockNumber({ cacheTime: 0 })
  const [credits, isOpen] = await Promise.all([
    readCredits(chain, { creditSeed, wallet, blockNumber }),
    Promise.all(sending.map(({ redeem }) => isUnderway(service, { chain, redeem, blockNumber }))),
  ])
  const open = sending.filter((_, index) => isOpen[index])
  const reserved = open
    .filter((one) => one.creditSeed === creditSeed)
    .reduce((sum, { redeem }) => sum + redeem.amount - redeem.usdcAmount + redeem.gasFee, 0n)
  if (credits < reserved + charged) throw insufficientCredits()

  const usdcReserved = open.reduce((sum, { redeem }) => sum + redeem.usdcAmount, 0n)
  if (usdcAmount === 0n || chain.usdc === undefined) return
  const balance = await readUsdcBalance(chain, { wallet, blockNumber })
  const revertReason = 'ERC20: transfer amount exceeds balance'
  if (balance < usdcReserved + usdcAmount)
    throw problem('SIMULATION_FAILED', `The redeem would fail: ${revertReason}.`, {
      details: { revertReason },
    })
}

export declare namespace checkUnderway {
  type Options = {
    chain: EvmChain
    wallet: `0x${string}`
    creditSeed: string
    /** Credits that the redeem charges, including the fee. */
    charged: bigint
    usdcAmount: bigint
  }
}

/** Contracts with random nonces have no order states, so the receipt decides. */
async function isUnderway(
  service: Service,
  { chain, redeem, blockNumber }: { chain: EvmChain; redeem: StoredRedeem; blockNumber: bigint },
): Promise<boolean> {
  const { wallet, nonce, hash } = redeem
  if (service.kind === 'randomNonce') {
    const receipt = await receiptOf(chain, hash)
    return receipt === undefined || receipt.blockNumber > blockNumber
  }
  const { client, creditsContract } = chain
  const asked = { creditsContract, wallet, orderKey: orderKeyOf(nonce), blockNumber }
  return (await orderState(client, asked)).state === 'unused'
}
