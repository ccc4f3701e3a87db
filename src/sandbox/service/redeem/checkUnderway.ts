import { and, eq, inArray } from 'drizzle-orm'
import { getAddress, type Hex, isHex, zeroAddress } from 'viem'
import { askNode, unusableAnswer } from '../../../redeemkit/evm/client/askNode.ts'
import { ChainReadError } from '../../../redeemkit/evm/client/chainReadError.ts'
import { orderKeyOf } from '../../../redeemkit/evm/creditPermit/orderKey.ts'
import { orderState } from '../../../redeemkit/evm/creditPermit/orderState.ts'
import { settlementKinds } from '../../../redeemkit/evm/transactionData/settlementKinds.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { readCredits } from '../../contracts/creditsReads.ts'
import { readUsdcBalance } from '../../contracts/readUsdcBalance.ts'
import { receiptOf } from '../../relayer/receiptOf.ts'
import { redeemCall } from '../../simulation/call/redeemCall.ts'
import type { RedeemRequest } from '../../simulation/call/redeemRequest.ts'
import type { CallFrame } from '../../simulation/redeemReport.ts'
import { coinsFix } from '../../simulation/rules/nftStaysBehind.ts'
import { ruleCatalogue } from '../../simulation/rules/ruleCatalogue.ts'
import { coinsGained } from '../../simulation/trace/coinsGained.ts'
import { tokenMoves } from '../../simulation/trace/tokenMoves.ts'
import { openRedeemStates } from '../../store/states.ts'
import { merchants, redeems } from '../../store/tables/index.ts'
import { problem } from '../http/problem.ts'
import type { Service } from '../service.ts'
import type { StoredRedeem } from './lookUpRedeem.ts'
import { insufficientCredits } from './simulationProblem.ts'

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

/**
 * Refuses a redeem that could be paid for only with what the wallet's redeems under way are about to take. Each of them
 * alone goes through in a simulation; together all but the first would be reverted, and the operator would pay for that.
 *
 * To be called, and what it allowed to be journalled, with one redeem of the wallet at a time.
 *
 * @throws ServiceProblem `INSUFFICIENT_CREDITS`; `SIMULATION_FAILED` when it is USDC that is spoken for
 */
export async function checkUnderway(service: Service, options: checkUnderway.Options): Promise<void> {
  const { chain, wallet, creditSeed, charged, usdcAmount } = options
  const database = await service.database()
  const sending = await database
    .select({ redeem: redeems, creditSeed: merchants.creditSeed })
    .from(redeems)
    .innerJoin(merchants, eq(merchants.merchantId, redeems.merchantId))
    .where(
      and(
        eq(redeems.blockchain, chain.blockchain),
        eq(redeems.wallet, wallet),
        inArray(redeems.status, [...openRedeemStates]),
      ),
    )
  if (sending.length === 0) return
  // All of it as of one block: what is mined a moment later is in neither, or in both.
  const blockNumber = await chain.client.getBlockNumber({ cacheTime: 0 })
  const [credits, isOpen] = await Promise.all([
    readCredits(chain, { creditSeed, wallet, blockNumber }),
    Promise.all(sending.map(({ redeem }) => isUnderway(service, { chain, redeem, blockNumber }))),
  ])
  const open = sending.filter((_, index) => isOpen[index])
  const spokenFor = open
    .filter((one) => one.creditSeed === creditSeed)
    .reduce((sum, { redeem }) => sum + redeem.amount - redeem.usdcAmount + redeem.gasFee, 0n)
  if (spokenFor > 0n && credits < spokenFor + charged) throw insufficientCredits()

  const usdcSpokenFor = open.reduce((sum, { redeem }) => sum + redeem.usdcAmount, 0n)
  if (usdcAmount === 0n || usdcSpokenFor === 0n || chain.usdc === undefined) return
  const balance = await readUsdcBalance(chain, { wallet, blockNumber })
  const revertReason = 'ERC20: transfer amount exceeds balance'
  if (balance < usdcSpokenFor + usdcAmount)
    throw problem('SIMULATION_FAILED', `The redeem would fail: ${revertReason}.`, {
      details: { revertReason },
    })
}

export declare namespace checkUnderway {
  type Options = {
    chain: EvmChain
    wallet: `0x${string}`
    creditSeed: string
    /** What this redeem takes from credits, its fee included. */
    charged: bigint
    /** What it takes from the wallet's USDC. */
    usdcAmount: bigint
  }
}

/** Whether a redeem that was sent has not happened as of a block. An unbound contract cannot be asked; its receipt can. */
async function isUnderway(
  service: Service,
  options: { chain: EvmChain; redeem: StoredRedeem; blockNumber: bigint },
): Promise<boolean> {
  const { chain, redeem, blockNumber } = options
  const { wallet, nonce, hash } = redeem
  if (service.kind === 'unbound') {
    const receipt = await receiptOf(chain, hash)
    return receipt === undefined || receipt.blockNumber > blockNumber
  }
  const { client, creditsContract } = chain
  const asked = { creditsContract, wallet, orderKey: orderKeyOf(nonce), blockNumber }
  return (await orderState(client, asked)).state === 'unused'
}
