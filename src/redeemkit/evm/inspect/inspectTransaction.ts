import { InvalidRecordError } from '../../core/errors/inputErrors.ts'
import { type Finding, finding, type Inspection, verdictOf } from '../../core/finding/finding.ts'
import { accountFindings } from '../accountFindings.ts'
import type { InspectOptions } from '../creditPermit/inspectOptions.ts'
import { checkHex, checkRecord } from '../values.ts'
import { type DescribedCall, describeCall } from './describeCall.ts'
import { readAddress, readChainId, readUint } from './otherTypedData.ts'
import { onChain, type Place, walletChainFindings } from './tokenTexts.ts'

/** More calls than a person reads. */
const mostCalls = 50

/** Describes an `eth_sendTransaction`, and lists what is wrong with it. At least `caution`, except a cancellation at a pinned contract. */
export function inspectTransaction(transaction: unknown, options: InspectOptions): Inspection<undefined> {
  const record = checkRecord(transaction, 'params.0')
  const place = placeOf(record, options)
  const described = describe(record, record.from, place)
  const findings = [
    ...described.findings,
    ...walletChainFindings(place.chainId, options, 'chainId'),
    ...fromFindings(record.from, options),
    ...delegationFindings(record),
  ]
  return inspection([described], findings, described.kind, '')
}

/** Describes each call of a `wallet_sendCalls` (EIP-5792), those that must not be made first. */
export function inspectCalls(batch: unknown, options: InspectOptions): Inspection<undefined> {
  const record = checkRecord(batch, 'params.0')
  const { calls } = record
  if (!Array.isArray(calls) || calls.length === 0)
    throw new InvalidRecordError('Malformed request: `calls` must be a list of calls.', { field: 'calls' })
  const place = placeOf(record, options)
  const described = calls.map((call: unknown, index) =>
    describe(checkRecord(call, `calls.${index}`), record.from, place),
  )
  const findings = [
    ...described.flatMap((one) => one.findings),
    ...walletChainFindings(place.chainId, options, 'chainId'),
    ...fromFindings(record.from, options),
    ...delegationFindings(record),
    ...calls.flatMap((call) => delegationFindings(checkRecord(call, 'calls'))),
  ]
  if (calls.length > mostCalls)
    findings.push(
      finding('danger', 'CALL_COUNT', `It has ${calls.length} calls, more than anybody reads.`, {
        field: 'calls',
      }),
    )
  const count = calls.length === 1 ? '1 call' : `${calls.length} calls`
  return inspection(described, findings, 'calls', `Makes ${count}${onChain(place)}. `)
}

function inspection(
  described: readonly DescribedCall[],
  findings: readonly Finding[],
  kind: DescribedCall['kind'],
  opening: string,
): Inspection<undefined> {
  const isBad = (one: DescribedCall) => verdictOf(one.findings) === 'refuse'
  const texts = [...described.filter(isBad), ...described.filter((one) => !isBad(one))].map((one) =>
    one.text(isBad(one)),
  )
  // an approval's finding repeats its sentence
  const reasons = findings.filter(
    ({ severity, code }) => severity === 'danger' && code !== 'UNLIMITED_APPROVAL',
  )
  const shown = whole([
    ...new Set(reasons.map(({ message }) => message)),
    ...(opening ? [opening.trim()] : []),
    ...texts,
  ])
  return {
    kind,
    summary: shown,
    verdict: verdictOf(findings),
    findings,
    moves: described.flatMap((one) => one.moves),
    grants: described.flatMap((one) => one.grants),
    lines:
      described.length > 1
        ? described.map((one, index) => ({ label: `${index + 1}`, value: one.text(false) }))
        : [],
    details: undefined,
  }
}

/** Whole sentences, as many as a person reads. */
function whole(sentences: readonly string[]): string {
  let text = ''
  for (const [index, sentence] of sentences.entries()) {
    if (text.length + sentence.length > 800 && index > 0)
      return `${text} And ${sentences.length - index} more.`
    text += `${text && ' '}${sentence}`
  }
  return text
}

function placeOf({ chainId }: Record<string, unknown>, options: InspectOptions): Place {
  return { chainId: chainId === undefined ? options.chainId : readChainId(chainId, 'chainId'), options }
}

function describe(record: Record<string, unknown>, from: unknown, place: Place): DescribedCall {
  const data = dataOf(record)
  const value = record.value === undefined ? 0n : readUint(record.value, 'value')
  if (record.to === undefined || record.to === null || record.to === '0x')
    return {
      kind: 'transaction',
      text: () => `Creates a new contract${onChain(place)}. What it does is not known here.`,
      findings: [
        finding('warning', 'CONTRACT_CREATION', 'It creates a contract, whose code was not looked into.', {
          field: 'to',
        }),
      ],
      moves: [],
      grants: [],
    }
  return describeCall(
    { from: String(from ?? place.options.address ?? ''), to: readAddress(record.to, 'to'), data, value },
    place,
  )
}

/** Wallets differ in which of the two names they read. */
function dataOf({ data, input }: Record<string, unknown>) {
  const [one, other] = [data, input].map((bytes) =>
    bytes === undefined || bytes === null || bytes === '' ? undefined : checkHex(bytes, 'data'),
  )
  if (one !== undefined && other !== undefined && one.toLowerCase() !== other.toLowerCase())
    throw new InvalidRecordError('Malformed request: `data` and `input` differ, and wallets read only one.', {
      field: 'data',
      fix: 'Do not sign it.',
    })
  return one ?? other ?? '0x'
}

const fromFindings = (from: unknown, options: InspectOptions) =>
  from === undefined ? [] : accountFindings(from, { address: options.address })

function delegationFindings({ authorizationList, type }: Record<string, unknown>): Finding[] {
  if (authorizationList === undefined && !['0x4', '0x04', 4, 'eip7702'].includes(type as string)) return []
  return [
    finding('danger', 'ACCOUNT_DELEGATION', 'It would let other code act as your account (EIP-7702).', {
      field: 'authorizationList',
      fix: 'Do not sign it: a page must not ask for this.',
    }),
  ]
}
