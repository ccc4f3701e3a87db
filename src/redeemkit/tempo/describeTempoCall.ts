import type { Address, Hex } from 'viem'
import { attempt } from '../core/attempt.ts'
import { type Finding, finding, type Grant, type Move } from '../core/finding/finding.ts'
import { summaryOf } from '../core/inspection/formatInspection.ts'
import type { InspectionLine, InspectionSentence, InspectionValue } from '../core/inspection/inspection.ts'
import { dollarValue, joinSentences, line, sentenceValue, textValue } from '../core/inspection/values.ts'
import { decodeValues } from '../evm/revert/decodeValues.ts'
import {
  type CallContext,
  creditsCalls,
  feeManagerCalls,
  type KnownCall,
  keychainCalls,
  type TempoMovement,
  tokenCalls,
} from './knownCalls.ts'
import {
  amountValue,
  contractValue,
  isTip20,
  partValue,
  tempoContracts,
  tempoSentence,
  tempoTokenName,
} from './network.ts'

export type DescribedCall = {
  sentence: InspectionSentence
  /** The facts of the call, with full addresses. */
  lines: readonly InspectionLine[]
  movements: readonly TempoMovement[]
  /** Findings to report if the call was not expected. */
  findings: readonly Finding[]
  /** Moves and grants of assets that are not Tempo's own, such as NFTs. */
  flows?: { moves: readonly Move[]; grants: readonly Grant[] }
}

/** Describes calls to tokens, the account keychain, the fee manager and the credits contract. Any other call is unknown. */
export function describeTempoCall(
  call: { to?: Address | undefined; data: Hex },
  options: describeTempoCall.Options,
): DescribedCall {
  const { data, to } = call
  if (to === undefined) return { sentence: tempoSentence('create'), lines: [], movements: [], findings: [] }
  const { account, chainId, creditsContract, index, now } = options
  const known = callsOf(to, creditsContract)[data.slice(0, 10).toLowerCase()]
  if (known === undefined) return unknownCall(data, { to, chainId, index })
  const values = attempt(() => decodeValues(known.parameters, data.slice(10)))
  const contract = contractValue({ contract: to, chainId })
  if (values === undefined)
    return {
      sentence: tempoSentence('call.malformed', { contract }),
      lines: [line('contract', contract)],
      movements: [],
      findings: [
        finding('danger', 'MALFORMED', 'The arguments of the call are malformed.', {
          field: `calls.${index}`,
          fix: 'Do not sign it: the chain is less strict and could accept the call.',
        }),
      ],
    }
  const context: CallContext = { account, chainId, contract: to, now }
  const said = known.describe(values, context)
  const { lines = [], movements = [] } = said
  const stranger =
    (known.of === 'credits' && to !== creditsContract) || (known.of === 'token' && !isTip20(to))
  return {
    sentence: stranger
      ? tempoSentence(known.of === 'token' ? 'call.asToken' : 'call.asCredits', {
          call: sentenceValue(said.sentence),
          contract,
        })
      : said.sentence,
    lines: [...lines, line('contract', contract)],
    movements: stranger ? [] : movements.map((movement) => ({ call: index, contract: to, ...movement })),
    findings: [
      ...findingsOf(said, index),
      ...(stranger
        ? [notCompared(index, `The contract ${to} was not compared with an expected contract.`)]
        : []),
    ],
  }
}

export declare namespace describeTempoCall {
  type Options = Omit<CallContext, 'contract'> & {
    /** Index of the call in the transaction. */
    index: number
    /** The pinned credits contract. */
    creditsContract?: Address | undefined
  }
}

function callsOf(to: Address, creditsContract: Address | undefined): Readonly<Record<string, KnownCall>> {
  if (to === tempoContracts.accountKeychain) return keychainCalls
  if (to === tempoContracts.feeManager) return feeManagerCalls
  if (to === creditsContract) return creditsCalls
  return isTip20(to) ? tokenCalls : { ...tokenCalls, ...creditsCalls }
}

/** Returns the call's finding, if any. Its message is the call's English sentence. */
function findingsOf(
  { sentence, finding: code }: ReturnType<KnownCall['describe']>,
  index: number,
): Finding[] {
  const message = summaryOf({ title: sentence, lines: [] })
  const field = `calls.${index}`
  if (code === 'DELEGATE_APPROVAL')
    return [finding('warning', code, message, { field, fix: 'Sign it only if you intend this.' })]
  if (code === 'KEY_AUTHORIZATION')
    return [finding('danger', code, message, { field, fix: 'Do not sign it.' })]
  return []
}

type Place = { to: Address; chainId: number; index: number }

function unknownCall(data: string, { to, chainId, index }: Place): DescribedCall {
  const contract = contractValue({ contract: to, chainId })
  const selector = textValue(data.slice(0, 10))
  return {
    sentence:
      data === '0x'
        ? tempoSentence('call.empty', { contract })
        : tempoSentence('call.unknown', { contract, selector }),
    lines: [line('contract', contract)],
    movements: [],
    findings: [notCompared(index, `The effect of call ${index + 1} to ${to} is unknown.`)],
  }
}

function notCompared(index: number, message: string): Finding {
  return finding('warning', 'NOT_COMPARED', message, {
    field: `calls.${index}`,
    fix: 'Sign it only if you know what it does.',
  })
}

/**
 * Summarizes the calls: one call's own sentence; for several calls, their number, the total that leaves the account, the account's largest
 * allowance of a known and of an unknown token, up to three calls with other assets, and a call of unknown effect. The total says "at
 * least" if it omits a call that may take more.
 */
export function callsSentence(calls: readonly DescribedCall[], chainId: number): InspectionSentence {
  const [first] = calls
  if (first === undefined) return tempoSentence('empty')
  if (calls.length === 1) return first.sentence
  const count = textValue(`${calls.length}`)
  const items = totalsOf(
    calls.flatMap(({ movements }) => movements),
    chainId,
  )
  const isAll = calls.every(({ sentence, findings }) => findings.length === 0 && sentence.key !== 'create')
  const key = items.length === 0 ? 'calls' : isAll ? 'calls.out' : 'calls.outAtLeast'
  const all = tempoSentence(key, { count, total: { type: 'list', items } })
  // anyone can create a token, so an allowance of an unknown token must not hide an allowance of a known token
  const largest = new Map<boolean, readonly [amount: bigint, sentence: InspectionSentence]>()
  for (const { movements, sentence } of calls)
    for (const { what, amount, direction, contract } of movements) {
      const isKnown = tempoTokenName(contract, chainId) !== undefined
      if (what === 'allowance' && direction === 'out' && amount > (largest.get(isKnown)?.[0] ?? 0n))
        largest.set(isKnown, [amount, sentence])
    }
  const named = new Set([...largest.values()].map(([, said]) => said))
  const others = calls.filter(
    ({ flows }) => flows !== undefined && flows.moves.length + flows.grants.length > 0,
  )
  const takes = ({ flows }: DescribedCall) =>
    Number(flows?.grants.length !== 0 || flows.moves.some(({ direction }) => direction === 'out'))
  // a revocation, or a move of someone else's assets, must not hide what the account gives away
  for (const { sentence } of others.sort((one, two) => takes(two) - takes(one)).slice(0, 3))
    named.add(sentence)
  // the total must not hide a call whose effect is unknown
  const unread = calls
    .filter(
      ({ sentence, findings }) =>
        /^(?:create|call\.delegate)$/.test(sentence.key) ||
        findings.some(({ code }) => code === 'NOT_COMPARED'),
    )
    .map(({ sentence }) => sentence)
  const find = (one: string) => unread.find(({ key }) => key === one)
  const worst = find('call.delegate') ?? find('call.unknown') ?? unread[0]
  return joinSentences(all, worst === undefined ? named : named.add(worst))
}

/** Returns the totals that leave the account: one for each token, and one for credits. */
function totalsOf(movements: readonly TempoMovement[], chainId: number): InspectionValue[] {
  const sums = new Map<Address | 'credits', bigint>()
  for (const { amount, contract, direction, what } of movements) {
    if (direction !== 'out' || what === 'allowance') continue
    const asset = what === 'credits' ? what : contract
    sums.set(asset, (sums.get(asset) ?? 0n) + amount)
  }
  return [...sums].map(([asset, sum]) =>
    asset === 'credits'
      ? partValue('credits.any', { amount: dollarValue(sum) })
      : amountValue(sum, { contract: asset, chainId }),
  )
}

/** If there are several calls, each call's sentence comes first. */
export function callLines(calls: readonly DescribedCall[]): InspectionLine[] {
  return calls.flatMap(({ sentence, lines }) => [
    ...(calls.length > 1 ? [line('call', sentenceValue(sentence))] : []),
    ...lines,
  ])
}
