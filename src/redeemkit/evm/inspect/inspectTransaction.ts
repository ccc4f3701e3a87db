import type { Hex } from 'viem'
import { greatest } from '../../core/amount.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { type Finding, finding, type Move } from '../../core/finding/finding.ts'
import { createInspection } from '../../core/inspection/createInspection.ts'
import type { Inspection, InspectionSentence } from '../../core/inspection/inspection.ts'
import {
  addressValue,
  chainValue,
  dangersOf,
  dollarValue,
  findingSentence,
  joinSentences,
  line,
  refusal,
  sentence,
  sentenceValue,
} from '../../core/inspection/values.ts'
import type { DescribedCall, ReadContext } from '../creditPermit/inspectOptions.ts'
import { accountFindings } from '../findingTexts.ts'
import { isTempoChain } from '../networks.ts'
import { checkHex, checkRecord, sameHex } from '../values.ts'
import { concatHex, keccak256, numberToHex, size } from '../viem.ts'
import { callsSentence } from './callsSentence.ts'
import { describeCall, plain, withCoins } from './describeCall.ts'
import { malformed, readAddress, readChainId, readUint } from './otherTypedData.ts'
import { coinValue, type Place, walletChainFindings } from './tokenTexts.ts'

/** A user cannot review more calls. */
const mostCalls = 50

/** The verdict is never `ok`, except for a cancellation that the shop's own page requests from the pinned contract. */
export function inspectTransaction(transaction: unknown, context: ReadContext): Inspection<undefined> {
  const record = checkRecord(transaction, 'params.0')
  if (record.calls === undefined) return judgeCalls(record, [record], context)
  // Tempo transactions have a list of calls
  if (['to', 'data', 'input', 'value'].some((name) => !isEmpty(record[name]) && record[name] !== '0x0'))
    throw malformed(
      'Malformed request: it has both a single call and a list of calls.',
      'calls',
      'wallets execute only one of the two',
    )
  return inspectCalls(record, context)
}

/** Describes each call of a batch (EIP-5792), dangerous calls first. */
export function inspectCalls(batch: unknown, context: ReadContext): Inspection<undefined> {
  const record = checkRecord(batch, 'params.0')
  const { calls } = record
  if (!Array.isArray(calls) || calls.length === 0)
    throw malformed('Malformed request: `calls` must be a list of calls.', 'calls')
  if (calls.length > mostCalls)
    throw malformed(`The request has ${calls.length} calls, more than a user can review.`, 'calls')
  const list = calls.map((call: unknown, index) => checkRecord(call, `calls.${index}`))
  return judgeCalls(record, list, context, 'calls')
}

function judgeCalls(
  request: Record<string, unknown>,
  calls: readonly Record<string, unknown>[],
  context: ReadContext,
  kind?: 'calls',
): Inspection<undefined> {
  const placeOf = ({ chainId = request.chainId }): Place => ({
    chainId: chainId === undefined ? context.chainId : readChainId(chainId, 'chainId'),
    context,
  })
  // in drafts of EIP-5792, each call can name its own chain
  const chainIds = [...new Set([request, ...calls].map((one) => placeOf(one).chainId))]
  const datas = calls.map((call) => dataOf(call, request))
  const described = calls.map((call, index) =>
    describe(call, datas[index] ?? '0x', request.from, placeOf(call)),
  )
  const findings = [
    ...described.flatMap((one) => one.findings),
    ...chainIds.flatMap((chainId) => walletChainFindings(chainId, context, 'chainId')),
    ...fromFindings(request.from, context),
    ...feeFindings(request),
    ...[...new Set([request, ...calls])].flatMap((one) => [
      ...delegationFindings(one),
      ...delegationFindings(Object(one.capabilities)),
    ]),
  ]
  const account = request.from ?? context.address
  const moves = described.flatMap((one) => one.moves)
  const all = callsSentence(described, (index) => placeOf(calls[index] ?? request), {
    account,
    isOneChain: chainIds.length === 1,
  })
  const { title, lines } = titleOf(
    described,
    findings,
    joinSentences(all, feeSentences(request, moves, placeOf(request))),
  )
  return createInspection({
    kind: kind ?? described[0]?.kind ?? 'transaction',
    title,
    lines: [
      ...lines,
      ...described.flatMap((one) => [
        ...(described.length > 1 ? [line('call', sentenceValue(one.title))] : []),
        ...one.lines,
      ]),
      ...chainIds.map((chainId) => line('chain', chainValue(chainId))),
      ...(typeof account === 'string' ? [line('account', addressValue(account))] : []),
    ],
    findings,
    moves,
    grants: described.flatMap((one) => one.grants),
    digests: () => ({ calldata: datas.filter((data) => data !== '0x').map(calldataDigest) }),
    details: undefined,
  })
}

/** Returns the title, with a line for each further danger. Without dangers, the title is the sentence of all calls. */
function titleOf(described: readonly DescribedCall[], findings: readonly Finding[], all: InspectionSentence) {
  const bad = described.filter((one) => dangersOf(one.findings).length > 0)
  const dangers = dangersOf(findings)
  if (dangers.length === 0) return refusal([all])
  // the sentence of a call that approves, adds a key or is malformed already includes its finding
  const isCalls = (danger: Finding) =>
    /^(?:UNLIMITED_APPROVAL|KEY_AUTHORIZATION|MALFORMED)$/.test(danger.code) &&
    bad.some((one) => one.findings.includes(danger))
  const sentences: InspectionSentence[] = [
    ...dangers.filter((danger) => !isCalls(danger)).map(findingSentence),
    ...bad.map((one) => one.title),
  ]
  return refusal(sentences)
}

/** Computes the "Calldata Digest" of ERC-8213. */
const calldataDigest = (data: Hex) => keccak256(concatHex([numberToHex(size(data), { size: 32 }), data]))

function describe(record: Record<string, unknown>, data: Hex, from: unknown, place: Place): DescribedCall {
  const value = isEmpty(record.value) ? 0n : readUint(record.value, 'value')
  if (typeof record.value === 'string' && /^\d\d/.test(record.value))
    throw malformed(
      `Malformed request: the value ${showValue(record.value)} is not 0x-hex.`,
      'value',
      'some wallets read it as hex, which gives a larger amount',
    )
  const payer = String(from ?? place.context.address ?? '')
  if (!isEmpty(record.to))
    return describeCall({ from: payer, to: readAddress(record.to, 'to'), data, value }, place)
  const creation = plain(
    value === 0n ? sentence('create') : sentence('create.paid', { amount: coinValue(value, place) }),
    [
      finding('warning', 'CONTRACT_CREATION', 'The call creates a contract whose code was not checked.', {
        field: 'to',
      }),
    ],
  )
  return withCoins(creation, { from: payer, to: '', value }, place)
}

/** Whether a field is absent. Pages and libraries write an absent field in several ways. */
const isEmpty = (value: unknown) => value === undefined || value === null || value === '' || value === '0x'

/** Returns the data of a call with the suffix that the wallet should append. If the call has no data, the suffix is the whole data. */
const dataOf = ({ data, input, ...call }: Record<string, unknown>, request: Record<string, unknown>): Hex =>
  concatHex([
    onlyOne({ data, input }),
    onlyOne({ 'calls.capabilities': suffixOf(call), capabilities: suffixOf(request) }),
  ])

/** Reads the `dataSuffix` capability (EIP-5792, ERC-8021). */
const suffixOf = ({ capabilities }: Record<string, unknown>): unknown =>
  Object(Object(capabilities).dataSuffix).value

/** Returns the value that one or both of two fields have. Refuses different values, because wallets differ in which field they read. */
function onlyOne(fields: Record<string, unknown>): Hex {
  const [one, other] = Object.values(fields).map((bytes) =>
    bytes === undefined || bytes === null || bytes === '' ? undefined : checkHex(bytes, 'data'),
  )
  if (one !== undefined && other !== undefined && !sameHex(one, other))
    throw malformed(
      `Malformed request: \`${Object.keys(fields).join('` and `')}\` differ, and wallets read only one.`,
      'data',
    )
  return one ?? other ?? '0x'
}

/**
 * Warns if the page sets the gas price, or overrides the gas of a smart account with a capability of ERC-7902 or Alchemy. The page could
 * burn the account's coins, even with a call that moves nothing.
 */
const feeFindings = ({ capabilities, ...record }: Record<string, unknown>): Finding[] =>
  ['gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas'].every((name) => isEmpty(record[name])) &&
  Object.keys(Object(capabilities)).every((name) => !/gasParamsOverride$/i.test(name))
    ? []
    : [
        finding('warning', 'CUSTOMER_PAYS_FEE', 'The page sets the network fee.', {
          field: 'gasPrice',
          fix: 'Let your wallet set it.',
        }),
      ]

/** A fee of at least a tenth of a coin is stated in the title. */
const largeFee = 10n ** 17n

/** Returns the sentence of the network fee that the page sets, if it is large and at least a tenth of the coins that the calls send. */
function feeSentences(
  record: Record<string, unknown>,
  moves: readonly Move[],
  place: Place,
): InspectionSentence[] {
  // wallets differ in which of these fields they read, so the largest counts
  const most = (...names: string[]) =>
    names
      .map((name) => (isEmpty(record[name]) ? 0n : readUint(record[name], name)))
      .reduce((one, other) => greatest(one, other))
  const price = most('maxFeePerGas', 'gasPrice', 'maxPriorityFeePerGas')
  const fee = price * (most('gas', 'gasLimit') || simpleGas)
  const sent = moves
    .filter(({ asset, from, to }) => asset === 'native' && !sameHex(from, to))
    .reduce((sum, { amount }) => sum + amount, 0n)
  if (fee < largeFee || fee * 10n < sent) return []
  // on Tempo, which has no coin, the price is in attodollars (10^-18 USD)
  const isInDollars = place.chainId !== undefined && isTempoChain(place.chainId)
  return [
    sentence('fee.most', { amount: isInDollars ? dollarValue(fee / 10n ** 12n) : coinValue(fee, place) }),
  ]
}

/** The gas of a simple transfer, which is the least that a transaction uses. */
const simpleGas = 21_000n

const fromFindings = (from: unknown, { address }: ReadContext) =>
  from === undefined ? [] : accountFindings(from, { address })

function delegationFindings(record: Record<string, unknown>): Finding[] {
  // `eip7702Auth` is a capability of ERC-7902; on Tempo, any field of a transaction can be a capability
  const { authorizationList, aaAuthorizationList, keyAuthorization, type, eip7702Auth } = record
  const fix = 'Do not sign it: a page must not ask for this.'
  const findings: Finding[] = []
  if (
    authorizationList !== undefined ||
    Object(eip7702Auth).delegation !== undefined ||
    ![aaAuthorizationList].flat().every(isEmpty) ||
    ['0x4', '0x04', 4, 'eip7702'].includes(type as string)
  )
    findings.push(
      finding(
        'danger',
        'ACCOUNT_DELEGATION',
        'The request would let other code act as your account (EIP-7702).',
        { field: 'authorizationList', fix },
      ),
    )
  // Tempo transactions can authorize access keys
  if (!isEmpty(keyAuthorization))
    findings.push(
      finding('danger', 'KEY_AUTHORIZATION', 'The request would let another key act for your account.', {
        field: 'keyAuthorization',
        fix,
      }),
    )
  return findings
}
