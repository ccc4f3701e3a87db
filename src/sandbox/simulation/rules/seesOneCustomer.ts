import {
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  keccak256,
  numberToHex,
  pad,
  slice,
  stringToHex,
} from 'viem'
import { mostTransactionGas } from '../../../redeemkit/core/limits.ts'
import { plainDollars } from '../../../redeemkit/evm/findingTexts.ts'
import { settlementShapes } from '../../../redeemkit/evm/transactionData/settlementOf.ts'
import { sameHex } from '../../../redeemkit/evm/values.ts'
import type { CallFrame, RuleFinding } from '../redeemReport.ts'
import { agreeableCode, type RedeemRequest, redeemCall, requestOf } from '../redeemRequest.ts'
import { settlementCalls } from '../runPlan.ts'
import { type SequenceCall, sequenceCode, sequenceData } from '../trace/callInSequence.ts'
import { failureOf, isRead, targetCall, walkFrames } from '../trace/frames.ts'
import { coinsGained, sumOf, tokenMoves, usdcTransfers } from '../trace/moves.ts'
import type { Overrides } from '../trace/traceCall.ts'
import { assumeUsdc, balanceOf } from './assumeUsdc.ts'
import { differsOnSecondCall } from './differsOnRerun.ts'
import { callIn, isHashed, keysIn } from './outcome.ts'
import { type Judge, type RuleContext, RuleNotJudgedError, ruleFinding } from './rule.ts'

/**
 * `SEES_ONE_CUSTOMER`: one of eight sales differs from the first, and another caller in the same state gets the first result again. So the
 * cause is `msg.sender`, and not a stock that has run out. If all sales are equal, the rule changes values that are stored for the caller.
 */
export const seesOneCustomer: Judge = async (context) => {
  const shared = await sharedByCaller(context)
  return shared === undefined ? [] : [shared.finding]
}

/** `DIFFERS_ON_SECOND_CALL`, unless the cause is a limit of one purchase per caller. */
export const secondSale: Judge = async (context) => {
  const findings = await differsOnSecondCall(context)
  if (findings.length === 0) return []
  // `seesOneCustomer` reports this error.
  const shared = await sharedByCaller(context).catch(() => undefined)
  return shared?.sale === 2 ? [] : findings
}

/** `sale`: number of the first purchase that differs. */
type Shared = { finding: RuleFinding; sale?: number } | undefined

function sharedByCaller(context: RuleContext): Promise<Shared> {
  const known = sharedOf.get(context) ?? findShared(context)
  sharedOf.set(context, known)
  return known
}

/** Cached, because two rules use it. */
const sharedOf = new WeakMap<RuleContext, Promise<Shared>>()

async function findShared(context: RuleContext): Promise<Shared> {
  const { call, execution, redeem, frame } = context
  // A known token id can be sold only once.
  if (call === undefined || !execution.succeeded || settlementShapes[redeem.shape].nft === 'token')
    return undefined
  const perSale = frame.gasUsed + frame.gasUsed / 4n + gasOfPayment
  const count = Math.min(mostCustomers, Number((sequenceGas - mostTransactionGas / 8n) / perSale))
  if (count < 2) return undefined
  const sales = await sell(context, { count })
  const [first] = sales
  if (first === undefined || first.failure !== undefined)
    throw new RuleNotJudgedError('A redeem of another customer, who pays in USDC, could not be simulated.')
  const place = sales.findIndex((sale) => differenceOf(first, sale) !== undefined)
  const later = sales[place]
  if (later === undefined) return (await byStored(context)) ?? byUsdc(context, first)
  const other = (await sell(context, { count: place, toCaller: true })).at(-1)
  if (other === undefined || differenceOf(first, other) !== undefined) return undefined
  const sale = place + 1
  const what = `purchase ${sale}, by another customer, ${differenceOf(first, later)}. A different caller still buys on the terms of the first customer.`
  return { finding: sharedFinding(what), sale }
}

/** Whether the sale depends on a value stored for the caller, such as a balance, a role or a place on a list. */
async function byStored(context: RuleContext): Promise<Shared> {
  const { redeem, usdc, creditsContract } = context
  const saleOf = (frame: CallFrame) =>
    saleIn({
      frame,
      call: callIn(context, frame),
      usdc,
      payer: creditsContract,
      receivers: [redeem.wallet],
    })
  for (const { address, state } of await otherCallers(context)) {
    const { succeeded, frame } = await context.rerun({ state })
    const difference = succeeded && differenceOf(saleOf(context.frame), saleOf(frame))
    if (!difference) continue
    const what = `it reads what ${address} stores for that contract. With another value there, it ${difference}.`
    return { finding: sharedFinding(what) }
  }
  return undefined
}

/** Whether the sale depends on the caller's USDC balance, which is large for the credits contract. */
async function byUsdc(context: RuleContext, first: Sale): Promise<Shared> {
  const { call, usdc, creditsContract } = context
  const asks = ({ to, input }: CallFrame) =>
    sameHex(to, usdc) && input.toLowerCase() === balanceOf(creditsContract).toLowerCase()
  if (call === undefined || ![...walkFrames(call)].some(({ frame }) => asks(frame))) return undefined
  const [other] = await sell(context, { count: 0, toCaller: true })
  const difference = other && differenceOf(first, other)
  // A contract may require that its caller has at least the price.
  if (difference === undefined || other?.failure !== undefined) return undefined
  const what = `it reads the USDC of that contract. For a caller with a different USDC balance, it ${difference}.`
  return { finding: sharedFinding(what) }
}

/** Returns states for reruns. Each changes one slot that contracts derive from their caller, read, and do not write. */
async function otherCallers(context: RuleContext): Promise<{ address: Hex; state: Overrides }[]> {
  const { call, frame, usdc, creditsContract, reads, changes } = context
  const [read, changed] = await Promise.all([reads(), frame.failure === undefined ? changes({}) : []])
  // Excludes the credits contract, unless the call reads from it: it also reads slots that the call does not need.
  const left = [usdc, ...(call !== undefined && isRead(call, creditsContract) ? [] : [creditsContract])]
  const found = read.filter(
    (one) =>
      isHashed(one) &&
      !left.some((address) => sameHex(address, one.address)) &&
      !changed.some(({ address, slot }) => address === one.address && BigInt(slot) === BigInt(one.slot)),
  )
  if (found.length === 0) return []
  const isUnder = await keysIn(context)
  return found
    .filter(({ slot }) => isUnder(slot, creditsContract))
    .slice(0, mostCustomers)
    .map(({ address, slot, value }) => {
      const other = numberToHex(BigInt(value) === 0n ? muchOrTrue : 0n, { size: 32 })
      return { address: getAddress(address), state: { [address]: { stateDiff: { [slot]: other } } } }
    })
}

/** A large balance or expiry, and true as a boolean. ERC721A stores balances in 64 bits. */
const muchOrTrue = 2n ** 60n + 1n

const sharedFinding = (what: string) =>
  ruleFinding(
    'warning',
    'SEES_ONE_CUSTOMER',
    `The shop treats the credits contract as its only customer: ${what}`,
  )

/**
 * Returns the fix if the call succeeds for another caller, or with other values stored for the caller, or looks for its caller in a Merkle
 * tree.
 */
export async function fixOfRejectedCaller(context: RuleContext): Promise<string | undefined> {
  for (const { state } of await otherCallers(context))
    if ((await context.rerun({ state })).succeeded) return acceptReceivers
  const [sale] = await sell(context, { count: 0, toCaller: true })
  if (sale?.failure === undefined) return acceptReceivers
  const hashed = await context.hashed()
  return hashed.some((data) => data.length <= 66 && sameHex(pad(data), pad(context.creditsContract)))
    ? listReceivers
    : undefined
}

const listReceivers =
  'Check whether the list contains the receiver in the call data, not msg.sender: the contract looks for the credits contract, which is msg.sender for every customer.'

const acceptReceivers =
  'Check the receiver in the call data, not msg.sender, or call a function that is open to every account: the contract rejects the credits contract, which is msg.sender for every customer, and accepts other callers.'

const mostCustomers = 8
const sequenceGas = 2n * mostTransactionGas
/** Upper limit of the gas that a customer's USDC payment adds to a redeem. */
const gasOfPayment = 150_000n

/** The payments of one customer, and what they gain of each contract's tokens. */
type Sale = { failure: string | undefined; paid: bigint; tokens: Gains; coins: Gains }
type Gains = ReadonlyMap<Hex, bigint>

function differenceOf(first: Sale, other: Sale): string | undefined {
  if (other.failure !== undefined) return `fails: ${other.failure}`
  if (other.paid !== first.paid)
    return `takes ${plainDollars(other.paid)} instead of ${plainDollars(first.paid)} USDC`
  return (
    differenceIn(first.tokens, other.tokens, 'tokens of') ??
    differenceIn(first.coins, other.coins, 'raw units of the ERC-20 token')
  )
}

function differenceIn(first: Gains, other: Gains, what: string): string | undefined {
  for (const contract of [...first.keys(), ...other.keys()]) {
    const [mine, theirs] = [first.get(contract) ?? 0n, other.get(contract) ?? 0n]
    if (mine !== theirs) return `delivers ${theirs} ${what} ${getAddress(contract)} instead of ${mine}`
  }
  return undefined
}

/** `toCaller`: the last buyer is an account other than the credits contract. */
async function sell(
  context: RuleContext,
  { count, toCaller = false }: { count: number; toCaller?: boolean },
): Promise<readonly Sale[]> {
  const { plan, creditsContract, usdc } = context
  const { request, relayer } = plan
  const { amount } = request.intent
  const customer = (place: number) => (place === 0 ? request.permit.customerWallet : unusedAddress(place))
  const requests = Array.from({ length: count }, (_, place) => requestOf(request, customer(place)))
  const calls = requests.flatMap((one) => [
    transferOf(usdc, one.permit.customerWallet, amount),
    redeemCall(plan, one),
  ])
  const codes: Record<Hex, Overrides[Hex]> = Object.fromEntries(
    requests.map(({ permit }) => [permit.customerWallet, { code: agreeableCode }]),
  )
  const last = requestOf(request, customer(count))
  if (toCaller) {
    calls.push(transferOf(usdc, anotherCaller, amount), callAlone(last, { usdc, as: anotherCaller }))
    codes[anotherCaller] = { code: sequenceCode }
  }
  const money = await assumeUsdc(plan, {
    owners: [relayer],
    spenders: [],
    balance: amount * BigInt(count + 1),
  })
  if (money === undefined)
    throw new RuleNotJudgedError(
      'The storage layout of this USDC is unknown, so further customers could not pay.',
    )
  const root = await context.traceSequence(calls, { ...money, ...codes })
  const sales = requests.map(({ permit, settlement }, place) => {
    const frame = root.calls[2 * place + 1]
    const call = frame && targetCall(frame, { creditsContract, settlement })?.frame
    return saleIn({ frame, call, usdc, payer: creditsContract, receivers: [permit.customerWallet] })
  })
  if (!toCaller) return sales
  const call = root.calls.at(-1)?.calls[1]
  if (call !== undefined && isRead(call, anotherCaller))
    throw new RuleNotJudgedError(
      'The shop reads from msg.sender, and the simulated second caller cannot respond as the credits contract does.',
    )
  const receivers = [anotherCaller, last.permit.customerWallet]
  return [...sales, saleIn({ frame: call, call, usdc, payer: anotherCaller, receivers })]
}

const nothing = { paid: 0n, tokens: new Map(), coins: new Map() }

function saleIn(options: {
  frame: CallFrame | undefined
  call: CallFrame | undefined
  usdc: Hex
  payer: Hex
  receivers: readonly Hex[]
}): Sale {
  const { frame, call, usdc, payer, receivers } = options
  if (frame === undefined || call === undefined || frame.failure !== undefined)
    return { failure: (frame && failureOf(frame)?.frame.failure) ?? 'it made no call', ...nothing }
  const isReceiver = (to: Hex) => receivers.some((one) => sameHex(one, to))
  const paid = usdcTransfers(call, usdc).filter(({ from }) => sameHex(from, payer))
  const tokens = tokenMoves(frame).filter(({ to }) => isReceiver(to))
  const coins = receivers.flatMap((account) => coinsGained(frame, { account, usdc }))
  return {
    failure: undefined,
    paid: paid.reduce((sum, { amount }) => sum + amount, 0n),
    tokens: sumOf(tokens.map(({ contract, amount }) => [contract, amount])),
    coins: sumOf(coins.map(({ token, amount }) => [token, amount])),
  }
}

function transferOf(usdc: Hex, to: Hex, amount: bigint): SequenceCall {
  return {
    to: usdc,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
  }
}

/** `as` must have `sequenceCode`. */
function callAlone(request: RedeemRequest, { usdc, as }: { usdc: Hex; as: Hex }): SequenceCall {
  return { to: as, data: sequenceData(settlementCalls(request, usdc)) }
}

const unusedAddress = (place: number): Hex => slice(keccak256(stringToHex(`another customer ${place}`)), 12)
const anotherCaller = slice(keccak256(stringToHex('another caller')), 12)
