import type { Address } from 'viem'
import { unixSeconds } from '../core/clock.ts'
import { approvalFinding, finding } from '../core/finding/finding.ts'
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
import { isAddress } from '../evm/inspect/otherTypedData.ts'
import { nameAt } from '../evm/inspect/tokenTexts.ts'
import { checkRecord } from '../evm/values.ts'
import { bytesToHex } from '../evm/viem.ts'
import { describeTempoCall } from './calls/describeTempoCall.ts'
import { amountValue, tip20Of } from './calls/tokenValues.ts'
import { isTip20, tempoContracts } from './network.ts'
import { inspectTempoTransaction } from './transaction/inspectTempoTransaction.ts'
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

/** Wallet requests whose first parameter is a transaction. */
const transactionMethods = [
  'eth_sendTransaction',
  'eth_signTransaction',
  'eth_sendTransactionSync',
  'eth_fillTransaction',
]
const rawMethods = ['eth_sendRawTransaction', 'eth_sendRawTransactionSync', 'eth_signRawTransaction']

/**
 * Describes a request to a Tempo wallet, and lists what is wrong with it: transactions of type 0x76 with the tokens that each call
 * moves, and every request that `inspect` of `redeemkit/evm` covers. Never throws.
 *
 * The verdict on a transaction is `ok` only when it was compared with an expectation.
 *
 * @param request a transaction (serialized, or an object as ox and viem make it), or what a wallet receives: `{ method, params }`
 * @param options as for `inspect` of `redeemkit/evm`, and what a transaction was asked for
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
    /** The expected transaction. Without it, the calls are described, but not compared. */
    expected?: TempoTransactionExpectation | undefined
  }
  type Details = TempoTransactionDetails | inspectEvm.Details
}

/** The transaction in a request; `undefined` if the request has none. */
function transactionOf(request: unknown): string | object | undefined {
  if (typeof request === 'string') return request
  // a proxy may throw when it is asked for its class
  if (ArrayBuffer.isView(request) && request instanceof Uint8Array) return bytesToHex(request)
  const record = checkRecord(request, 'request')
  if (typeof record.method !== 'string') return record
  const [first] = Array.isArray(record.params) ? record.params : []
  if (rawMethods.includes(record.method)) return typeof first === 'string' ? first : ''
  if (!transactionMethods.includes(record.method)) return undefined
  const transaction = checkRecord(first, 'params.0')
  // A plain Ethereum transaction is not a Tempo transaction.
  return [undefined, 'tempo', '0x76'].includes(transaction.type as string) ? transaction : undefined
}

async function inspectTransaction(
  transaction: string | object,
  options: ReadContext,
  expected: TempoTransactionExpectation | undefined,
): Promise<Inspection<TempoTransactionDetails>> {
  const { address, chainId, now, pinned = [] } = options
  // a request without a chain is for the wallet's current chain
  const whole = typeof transaction === 'string' ? transaction : { chainId, ...transaction }
  const account = address === undefined ? undefined : checkAddress(address, 'address')
  const creditsContract = pinned.find(
    (pin) => pin.chainId === undefined || pin.chainId === chainId,
  )?.creditsContract
  if (expected !== undefined)
    return withWallet(
      await inspectTempoTransaction(whole, { creditsContract, now, ...expected }),
      { account, chainId },
      expected,
    )
  const terms = { creditsContract, now, ...(chainId && { chainId }), ...(account && { account }) }
  const inspection = await judgeTempoTransaction(readTempoTransaction(whole), terms)
  const place = { chainId: inspection.details.transaction.chainId, context: options }
  const unlimited = inspection.grants.filter(
    ({ amount, to }) => (amount === 'unlimited' || amount >= absurdAmount) && nameAt(to, place) === undefined,
  )
  const findings = [
    ...unlimited.map(({ to }) => approvalFinding({ spender: to, isAll: true, isLoss: true }, 'calls')),
    ...inspection.findings,
    notCompared('calls'),
  ]
  const approvals = unlimited.map(({ to, asset }) =>
    sentence('allow', {
      spender: addressValue(to),
      amount: amountValue('unlimited', {
        contract: asset as Address, // what a call lets others spend is its contract
        chainId: place.chainId,
      }),
    }),
  )
  // Other dangers come first.
  const isBad = dangersOf(inspection.findings).length > 0
  const { title, lines } = refusal(
    isBad || unlimited.length === 0 ? [inspection.title, ...approvals] : approvals,
  )
  const nameOfOne = (address: string) => nameAt(address, place)
  return changed(inspection, {
    title: withNames(title, nameOfOne),
    lines: [...lines, ...inspection.lines].map((one) => ({
      ...one,
      value: namedValue(one.value, nameOfOne),
    })),
    findings,
  })
}

/** Describes the calls of Tempo's own contracts in requests that other chains have too. */
const describeOwn =
  ({ now }: ReadContext): ReadContext['describeOwn'] =>
  ({ from: account, to, data }, chainId) => {
    const { accountKeychain, feeManager } = tempoContracts
    if (!isTip20(to) && to !== accountKeychain && to !== feeManager) return undefined
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
  finding('warning', 'NOT_COMPARED', 'Its calls were not compared with expected ones.', {
    field,
    fix: 'Sign it only if you want this effect.',
  })

type NameOf = (address: string) => string | undefined

const withNames = ({ values, ...rest }: InspectionSentence, name: NameOf): InspectionSentence => ({
  ...rest,
  values: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, namedValue(value, name)])),
})

/** The value with the wallet's name of each address in it. */
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

/** Findings for an expectation whose account or chain differs from the wallet's. */
function withWallet(
  inspection: Inspection<TempoTransactionDetails>,
  wallet: { account: Address | undefined; chainId: number | undefined },
  expected: TempoTransactionExpectation,
): Inspection<TempoTransactionDetails> {
  const { account, chainId } = wallet
  const findings = [...inspection.findings]
  if (account !== undefined && account !== expected.account)
    findings.push(finding('danger', 'WRONG_ACCOUNT', `It is for ${expected.account}, not for ${account}.`))
  if (chainId !== undefined && chainId !== expected.chainId)
    findings.push(finding('danger', 'WRONG_CHAIN', `It is for chain ${expected.chainId}, not ${chainId}.`))
  return changed(inspection, { findings })
}

/** The same inspection with other findings, and the verdict that follows from them. */
function changed(
  { digests: _, ...inspection }: Inspection<TempoTransactionDetails>,
  change: Partial<Pick<Inspection, 'title' | 'lines' | 'findings'>>,
): Inspection<TempoTransactionDetails> {
  return createInspection({ ...inspection, ...change })
}
