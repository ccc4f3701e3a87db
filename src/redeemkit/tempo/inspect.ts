import type { Address } from 'viem'
import { unixSeconds } from '../core/clock.ts'
import { approvalFinding, type Finding, finding } from '../core/finding/finding.ts'
import { createInspection, createRefusal } from '../core/inspection/createInspection.ts'
import type { Inspection, InspectionSentence, InspectionValue } from '../core/inspection/inspection.ts'
import { addressValue, dangersOf, refusal, sentence } from '../core/inspection/values.ts'
import { absurdAmount } from '../core/limits.ts'
import { checkAddress } from '../evm/checkAddress.ts'
import {
  type InspectContext,
  type ReadContext,
  readInspectContext,
} from '../evm/creditPermit/inspectOptions.ts'
import { type inspect as inspectEvm, inspectIn } from '../evm/inspect/inspect.ts'

// This import order makes bundles half a kilobyte smaller: the modules below compress better after inspect.ts.

import { pinsOn } from '../evm/creditPermit/pinFor.ts'
import { describeCall } from '../evm/inspect/describeCall.ts'
import { isAddress } from '../evm/inspect/otherTypedData.ts'
import { nameAt } from '../evm/inspect/tokenTexts.ts'
import { readOwnField, readPlainData } from '../evm/plainData.ts'
import { checkRecord, sameHex } from '../evm/values.ts'
import { bytesToHex } from '../evm/viem.ts'
import { describeTempoCall } from './describeTempoCall.ts'
import { amountValue, isTip20, tempoContracts, tip20Of } from './network.ts'
import {
  flowsOf,
  judgeTempoTransaction,
  type TempoTransactionDetails,
} from './transaction/judgeTempoTransaction.ts'
import { readTempoTransaction } from './transaction/readTempoTransaction.ts'
import {
  checkTempoExpectation,
  type TempoTransactionExpectation,
} from './transaction/tempoTransactionExpectation.ts'

/** The wallet methods whose first parameter is a transaction. */
const transactionMethods = [
  'eth_sendTransaction',
  'eth_signTransaction',
  'eth_sendTransactionSync',
  'eth_fillTransaction',
  // viem's fallback if the wallet does not support eth_sendTransaction
  'wallet_sendTransaction',
]
const rawMethods = ['eth_sendRawTransaction', 'eth_sendRawTransactionSync', 'eth_signRawTransaction']

/**
 * Describes a request to a Tempo wallet, and lists its findings. Covers transactions of type 0x76, with the tokens that each call moves,
 * and every request that `inspect` of `redeemkit/evm` covers. Never throws.
 *
 * The verdict on a transaction is `ok` only if you passed an expectation and the transaction matches it.
 *
 * @param request a transaction (serialized, or an object of ox or viem), or a wallet request: `{ method, params }`
 * @param options the options of `inspect` of `redeemkit/evm`, and the expected transaction
 * @see PROTOCOL.md 9.5
 * @example
 * ```ts
 * import { inspect } from 'redeemkit/tempo'
 *
 * const { summary } = await inspect({
 *   chainId: 42431,
 *   calls: [
 *     {
 *       to: '0x20C0000000000000000000000000000000000000',
 *       data: '0xa9059cbb00000000000000000000000070997970c51812dc3a010c7d01b50e0d17dc79c800000000000000000000000000000000000000000000000000000000000f4240',
 *     },
 *   ],
 * })
 * summary.split('\n')[0] // 'Sends 1.00 pathUSD to 0x7099…79C8.'
 * ```
 */
export async function inspect(
  request: inspect.Request,
  options: inspect.Context = {},
): Promise<Inspection<inspect.Details>> {
  let held: { options: ReadContext; expected: TempoTransactionExpectation | undefined }
  try {
    const { expected, ...rest } = checkRecord(options, 'options') as inspect.Context // read field by field below
    held = {
      options: readInspectContext(rest),
      expected: expected === undefined ? undefined : checkTempoExpectation(expected),
    }
  } catch (error) {
    return createRefusal(error, 'INVALID_EXPECTATION')
  }
  try {
    const transaction = transactionOf(request)
    if (transaction === undefined)
      return inspectIn(
        { ...held.options, tokenOf: tip20Of, describeOwn: describeOwn(held.options) },
        request as inspectEvm.Request,
      )
    return await inspectTransaction(transaction, held.options, held.expected)
  } catch (error) {
    return createRefusal(error, 'MALFORMED')
  }
}

export declare namespace inspect {
  type Request = string | object
  type Context = InspectContext & {
    /** The expected transaction. If absent, `inspect` describes the calls, but cannot compare them. */
    expected?: TempoTransactionExpectation | undefined
  }
  type Details = TempoTransactionDetails | inspectEvm.Details
}

function transactionOf(request: unknown): string | object | undefined {
  if (typeof request === 'string') return request
  // `instanceof` alone could throw for a proxy
  if (ArrayBuffer.isView(request) && request instanceof Uint8Array) return bytesToHex(request)
  const record = checkRecord(request, 'request')
  const method = readOwnField(record, 'method')
  if (typeof method !== 'string') return record
  const isRaw = rawMethods.includes(method)
  if (!isRaw && !transactionMethods.includes(method)) return undefined
  const params = readPlainData(readOwnField(record, 'params'), 'params')
  const first: unknown = Array.isArray(params) ? params[0] : undefined
  if (isRaw) return typeof first === 'string' ? first : ''
  const transaction = checkRecord(first, 'params.0')
  // any other type is an Ethereum transaction
  return [undefined, 'tempo', '0x76'].includes(transaction.type as string) ? transaction : undefined
}

async function inspectTransaction(
  transaction: string | object,
  context: ReadContext,
  expected: TempoTransactionExpectation | undefined,
): Promise<Inspection<TempoTransactionDetails>> {
  const { address, now } = context
  // a request without a chain id is for the wallet's current chain
  const read = readTempoTransaction(
    typeof transaction === 'string' ? transaction : { chainId: context.chainId, ...transaction },
  )
  const { chainId } = read.transaction
  const account = address && checkAddress(address, 'address')
  const pinned = pinsOn(chainId, context)[0]?.creditsContract
  const known = { creditsContract: pinned && checkAddress(pinned, 'pinned.creditsContract'), now }
  if (expected !== undefined)
    return judgeTempoTransaction(read, { ...known, ...expected }, walletFindings(expected, context))
  const terms = {
    ...known,
    ...(context.chainId && { chainId: context.chainId }),
    ...(account && { account }),
  }
  const place = { chainId, context }
  const inspection = await judgeTempoTransaction(read, terms, [], (call) => describeCall(call, place))
  const unlimited = inspection.grants
    .filter(
      ({ amount, asset, to }) =>
        isTip20(asset) &&
        (amount === 'unlimited' || amount >= absurdAmount) &&
        nameAt(to, place) === undefined,
    )
    .map(({ to, asset }) => ({
      dangers: [approvalFinding({ spender: to, isAll: true, isLoss: true }, 'calls')],
      title: sentence('allow', {
        spender: addressValue(to),
        amount: amountValue('unlimited', { contract: asset as Address, chainId }), // `asset` is the address of the called contract
      }),
    }))
  // approvals of ERC-20 and NFT contracts outside the token factory are judged as on other chains
  const foreign = read.transaction.calls.flatMap(({ to, data, value }) => {
    if (to === undefined || isTempos(to)) return []
    const { findings, kind, title } = describeCall({ from: account ?? '', to, data, value }, place)
    const dangers = dangersOf(findings).filter(
      ({ code }) => !inspection.findings.some((one) => one.code === code),
    )
    return kind === 'creditPermitCancel' || dangers.length === 0 ? [] : [{ dangers, title }]
  })
  const risks = [...unlimited, ...foreign]
  const findings = [...risks.flatMap(({ dangers }) => dangers), ...inspection.findings, notCompared('calls')]
  const approvals = risks.map(({ title: risk }) => risk)
  // the title already states another danger, if there is one
  const isBad = dangersOf(inspection.findings).length > 0
  const { title, lines } = refusal(
    isBad || approvals.length === 0 ? [inspection.title, ...approvals] : approvals,
  )
  const nameOfOne = (address: string) => nameAt(address, place)
  return createInspection({
    ...inspection,
    digests: undefined,
    title: withNames(title, nameOfOne),
    lines: [...lines, ...inspection.lines].map((one) => ({
      ...one,
      value: namedValue(one.value, nameOfOne),
    })),
    findings,
  })
}

/** Whether a contract is a TIP-20 token or a precompile of Tempo, whose calls `describeTempoCall` knows. */
const isTempos = (to: Address) =>
  isTip20(to) || to === tempoContracts.accountKeychain || to === tempoContracts.feeManager

/** Describes calls to Tempo's own contracts in requests that all EVM chains have, such as batches. */
const describeOwn =
  ({ now }: ReadContext): ReadContext['describeOwn'] =>
  ({ from: account, to, data }, chainId) => {
    if (!isTempos(to)) return undefined
    const own = isAddress(account) ? checkAddress(account.toLowerCase(), 'from') : undefined
    const {
      sentence: title,
      lines,
      movements,
      findings,
    } = describeTempoCall({ to, data }, { account: own, chainId, index: 0, now: unixSeconds(now) })
    if (title.key === 'call.unknown') return undefined
    return {
      kind: 'transaction',
      title,
      lines: lines.filter(({ key }) => key !== 'contract'),
      findings: findings.length > 0 ? [...findings] : [notCompared('data')],
      ...flowsOf(movements, own),
    }
  }

const notCompared = (field: string) =>
  finding('warning', 'NOT_COMPARED', 'The calls were not compared with expected calls.', {
    field,
    fix: 'Sign it only if you want this effect.',
  })

type NameOf = (address: string) => string | undefined

const withNames = ({ values, ...rest }: InspectionSentence, name: NameOf): InspectionSentence => ({
  ...rest,
  values: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, namedValue(value, name)])),
})

function namedValue(value: InspectionValue, name: NameOf): InspectionValue {
  switch (value.type) {
    case 'address':
      return { ...value, name: name(value.address) ?? value.name }
    case 'list':
      return { ...value, items: value.items.map((item) => namedValue(item, name)) }
    case 'sentence':
      return { ...value, sentence: withNames(value.sentence, name) }
    default:
      return value
  }
}

function walletFindings(expected: TempoTransactionExpectation, { address, chainId }: ReadContext): Finding[] {
  const { account, chainId: chain } = expected
  const findings: Finding[] = []
  if (address !== undefined && !sameHex(address, account))
    findings.push(finding('danger', 'WRONG_ACCOUNT', `The expected account is ${account}, not ${address}.`))
  if (chainId !== undefined && chainId !== chain)
    findings.push(finding('danger', 'WRONG_CHAIN', `The expected chain is ${chain}, not ${chainId}.`))
  return findings
}
