import type { Address } from 'viem'
import { usdcDecimals } from '../../core/amount.ts'
import { unixSeconds } from '../../core/clock.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { type Finding, finding, type Grant, type Move } from '../../core/finding/finding.ts'
import type { FindingCode, SeverityOf } from '../../core/finding/findingCatalogue.ts'
import { createInspection } from '../../core/inspection/createInspection.ts'
import type {
  Inspection,
  InspectionLine,
  InspectionSentence,
  InspectionValue,
} from '../../core/inspection/inspection.ts'
import {
  addressValue,
  chainValue,
  dangersOf,
  dollarValue,
  findingSentence,
  line,
  refusal,
  sentenceValue,
  timeValue,
} from '../../core/inspection/values.ts'
import { permitMaximumSeconds } from '../../core/limits.ts'
import type { Call, DescribedCall as OtherCall } from '../../evm/creditPermit/inspectOptions.ts'
import { dateText, expiryFindings, usd } from '../../evm/findingTexts.ts'
import { recoverAddress } from '../../evm/viem.ts'
import { callLines, callsSentence, type DescribedCall, describeTempoCall } from '../describeTempoCall.ts'
import type { TempoMovement } from '../knownCalls.ts'
import { amountValue, partValue } from '../network.ts'
import { checkTempoSignature } from '../signature/checkTempoSignature.ts'
import { classifyTempoSignature } from '../signature/classifyTempoSignature.ts'
import { expiring, type ReadTransaction } from './readTempoTransaction.ts'
import { hashTempoFeePayer, hashTempoTransaction } from './serializeTempoTransaction.ts'
import type { TempoTransaction } from './tempoTransaction.ts'
import type { TempoTransactionExpectation } from './tempoTransactionExpectation.ts'

/** The parsed transaction, the tokens that its calls move, and its maximum fee. */
export type TempoTransactionDetails = {
  transaction: TempoTransaction
  /** The sentence of each call. */
  calls: readonly InspectionSentence[]
  /** The tokens and credits that the calls move, from the sender's view. */
  movements: readonly TempoMovement[]
  /** The maximum fee, in raw units of a 6-decimal dollar token, rounded up. */
  maxFee: bigint
}

/** An omitted field is not compared. */
type TempoTerms = Partial<TempoTransactionExpectation>

/** The fee payer, as far as it can be read from the transaction. */
type Payer = 'sender' | 'unsigned' | 'unreadable' | Address

const attodollarsPerUnit = 1_000_000_000_000n
/** Default limit of the fee that a customer pays: 1 USD. */
const customerMaxFee = 1_000_000n

/** `requestFindings` are about the request that contains the transaction; `describeOther` describes calls to other contracts than Tempo's. */
export async function judgeTempoTransaction(
  read: ReadTransaction,
  terms: TempoTerms,
  requestFindings: readonly Finding[] = [],
  describeOther?: (call: Call) => OtherCall,
): Promise<Inspection<TempoTransactionDetails>> {
  const { transaction } = read
  const account = terms.account ?? read.from ?? (await senderOf(transaction))
  const now = unixSeconds(terms.now)
  const maxFee = feeOf(transaction)
  const { chainId } = transaction
  const { creditsContract } = terms
  const described = transaction.calls.map(({ to, data }, index): DescribedCall => {
    const own = describeTempoCall({ to, data }, { account, chainId, index, now, creditsContract })
    if (to === undefined || own.sentence.key !== 'call.unknown') return own
    const other = describeOther?.({ from: account ?? '', to, data, value: 0n })
    if (other === undefined || other.title.key === 'call.unknown') return own
    const { title: sentence, lines, findings, ...flows } = other
    return { ...own, sentence, lines, findings, flows }
  })
  const payer = await payerOf(transaction, account)
  const findings: Finding[] = [
    ...judgeCalls(transaction, terms, described),
    ...judgeFrame(transaction, terms, now),
    ...judgeFee(transaction, terms, maxFee),
    ...judgeOpen(read),
    ...(await judgeSender(read, account, terms)),
    ...judgePayer(payer, account, terms),
    ...requestFindings,
  ]
  const movements = described.flatMap((one) => one.movements)
  const { moves, grants } = flowsOf(movements, account)
  const does = callsSentence(described, chainId)
  const dangers = dangersOf(findings)
  // a call's sentence is more specific than its finding
  const sentences = new Map(
    described.flatMap(({ findings: own, sentence }) => own.map((one) => [one, sentence] as const)),
  )
  const wrong = dangers.map((one) => sentences.get(one) ?? findingSentence(one))
  const { title, lines } = refusal(wrong.length > 0 ? wrong : [does])
  return createInspection({
    kind: 'tempoTransaction',
    title,
    lines: [
      ...lines,
      ...(wrong.length > 0 && !wrong.includes(does) ? [line('effect', sentenceValue(does))] : []),
      ...callLines(described),
      line('chain', chainValue(chainId)),
      ...(account === undefined ? [] : [line('account', addressValue(account))]),
      ...feeLines(read, { account, payer, maxFee, feePayer: terms.feePayer }),
      line('until', timeValue(transaction.validBefore, now)),
    ],
    moves: [...moves, ...described.flatMap(({ flows }) => flows?.moves ?? [])],
    grants: [...grants, ...described.flatMap(({ flows }) => flows?.grants ?? [])],
    findings,
    details: { transaction, calls: described.map((one) => one.sentence), movements, maxFee },
  })
}

export function flowsOf(movements: readonly TempoMovement[], account: Address | undefined) {
  const sender = account ?? 'signer'
  const moves = movements
    .filter(({ what }) => what !== 'allowance')
    .map(({ direction, contract, amount, from = sender, to = sender }): Move => {
      return { direction, asset: contract, amount, decimals: usdcDecimals, from, to }
    })
  const grants = movements
    .filter(({ what }) => what === 'allowance')
    .map(({ contract, amount, from = sender, to = sender }): Grant => {
      return { asset: contract, amount, decimals: usdcDecimals, from, to, until: undefined }
    })
  return { moves, grants }
}

/** Returns the maximum fee of a transaction, in raw units of a 6-decimal dollar token. */
function feeOf({ gas, maxFeePerGas }: TempoTransaction): bigint {
  return (gas * maxFeePerGas + attodollarsPerUnit - 1n) / attodollarsPerUnit
}

function feeLines(
  { open, transaction }: ReadTransaction,
  shown: { account: Address | undefined; payer: Payer; maxFee: bigint; feePayer: Address | undefined },
): InspectionLine[] {
  const { account, payer, maxFee, feePayer } = shown
  const { chainId, feeToken } = transaction
  const isSet = open.every((name) => name === 'nonce')
  const most =
    feeToken === undefined ? dollarValue(maxFee) : amountValue(maxFee, { contract: feeToken, chainId })
  const others: Readonly<Partial<Record<Payer, InspectionValue>>> = {
    sender: account === undefined ? partValue('fee.signer') : addressValue(account),
    unsigned: partValue('fee.unsigned'),
    unreadable: partValue('fee.unreadable'),
  }
  const known = others[payer]
  return [
    line('fee', isSet ? most : partValue('fee.open')),
    line('feePayer', known ?? addressValue(payer)),
    ...(payer === 'sender' && feeToken === undefined ? [line('note', partValue('fee.chainToken'))] : []),
    ...(known === undefined && payer !== feePayer ? [line('note', partValue('fee.notCompared'))] : []),
  ]
}

function* judgeCalls(
  transaction: TempoTransaction,
  terms: TempoTerms,
  described: readonly DescribedCall[],
): Generator<Finding> {
  const { calls } = transaction
  const asked = terms.calls
  if (asked !== undefined && calls.length !== asked.length)
    yield danger('CALL_COUNT', `The number of calls is ${calls.length}, not ${asked.length}.`, 'calls')
  for (const [index, call] of calls.entries()) {
    const field = `calls.${index}`
    if (call.to === undefined)
      yield unasked(terms, 'CONTRACT_CREATION', `Call ${index + 1} creates a contract.`, field)
    if (call.value !== 0n)
      yield danger(
        'UNEXPECTED_VALUE',
        `Call ${index + 1} sends native coins, which Tempo does not have.`,
        field,
      )
    const other = asked?.[index]
    if (other === undefined) {
      yield* described[index]?.findings ?? []
      continue
    }
    if (call.to !== undefined && call.to !== other.to)
      yield danger('WRONG_TARGET', `Call ${index + 1} goes to ${call.to}, not to ${other.to}.`, `${field}.to`)
    if (call.data !== other.data.toLowerCase())
      yield danger(
        'WRONG_DATA',
        `The data of call ${index + 1} differs from the expected data.`,
        `${field}.data`,
      )
  }
}

function* judgeFrame(transaction: TempoTransaction, terms: TempoTerms, now: bigint): Generator<Finding> {
  const { chainId, nonce, nonceKey, validAfter } = transaction
  if (terms.chainId !== undefined && chainId !== terms.chainId)
    yield danger('WRONG_CHAIN', `The chain is ${chainId}, not ${showValue(terms.chainId)}.`, 'chainId')
  if (terms.nonce !== undefined && nonce !== terms.nonce)
    yield danger('WRONG_NONCE', `The nonce is ${nonce}, not ${terms.nonce}.`, 'nonce')
  if (terms.nonceKey !== undefined && nonceKey !== terms.nonceKey)
    yield danger(
      'WRONG_NONCE_KEY',
      `The nonce key is ${nonceKey === expiring ? '2^256 - 1 (for expiring nonces)' : nonceKey}, not ${terms.nonceKey}.`,
      'nonceKey',
    )
  if (validAfter !== undefined && validAfter > now)
    yield unasked(
      terms,
      'NOT_YET_VALID',
      `The transaction is valid only after ${dateText(validAfter)}.`,
      'validAfter',
    )
  yield* judgeEnd(transaction, terms, now)
  if (transaction.accessList !== undefined)
    yield unasked(terms, 'ACCESS_LIST', 'The transaction has an unexpected access list.', 'accessList')
  if (transaction.authorizationList !== undefined)
    yield danger('ACCOUNT_DELEGATION', 'Other code could act as an account (EIP-7702).', 'authorizationList')
  if (transaction.keyAuthorization !== undefined)
    yield danger('KEY_AUTHORIZATION', 'Another key could act for the account.', 'keyAuthorization')
}

/** Judges the expiry: anyone holding a signed transaction can send it until then. */
function* judgeEnd({ validBefore }: TempoTransaction, terms: TempoTerms, now: bigint): Generator<Finding> {
  const field = 'validBefore'
  const { maxValidBefore } = terms
  const fix = 'Ask for a transaction that expires soon.'
  if (validBefore === undefined) {
    const message = 'The transaction has no expiry: anyone holding it can send it at any time.'
    yield finding(maxValidBefore === undefined ? 'warning' : 'danger', 'NO_TIME_LIMIT', message, {
      field,
      fix,
    })
  } else
    yield* expiryFindings(validBefore, now, {
      field,
      minimum: 0n,
      maximum: maxValidBefore === undefined ? permitMaximumSeconds : maxValidBefore - now,
      severity: maxValidBefore === undefined ? 'warning' : 'danger',
    })
}

function* judgeFee(transaction: TempoTransaction, terms: TempoTerms, maxFee: bigint): Generator<Finding> {
  const { feeToken, sponsored } = transaction
  const asked = terms.feeToken
  const paidIn = feeToken ?? 'a token that the chain chooses'
  if (terms.sponsored !== undefined && sponsored !== terms.sponsored)
    yield sponsored
      ? danger('UNEXPECTED_SPONSOR', 'A sponsor would pay the fee, which was not expected.', 'feePayer')
      : danger('NOT_SPONSORED', 'The customer would pay the fee, but a sponsor was expected.', 'feePayer')
  if (asked === undefined && !sponsored)
    yield terms.calls === undefined
      ? finding('warning', 'CUSTOMER_PAYS_FEE', `The account pays the fee in ${paidIn}.`, {
          field: 'feeToken',
        })
      : danger(
          'WRONG_FEE_TOKEN',
          `The customer pays the fee in ${paidIn}, but the expectation has no \`feeToken\`.`,
          'feeToken',
        )
  if (asked !== undefined && (feeToken !== undefined || !sponsored) && feeToken !== asked)
    yield danger('WRONG_FEE_TOKEN', `The fee is paid in ${paidIn}, not in ${asked}.`, 'feeToken')
  const most = terms.maxFee ?? (sponsored ? maxFee : customerMaxFee)
  if (maxFee > most)
    yield danger(
      'FEE_TOO_HIGH',
      `The network fee can be ${usd(maxFee)}, above the limit of ${usd(most)}.`,
      'gas',
    )
}

/** The signer fills in open fields, so they cannot be checked. */
function judgeOpen({ open }: ReadTransaction): Finding[] {
  if (open.length === 0) return []
  return [
    finding('warning', 'NOT_COMPARED', `The request leaves these fields to the wallet: ${open.join(', ')}.`, {
      field: open[0],
      fix: 'Inspect the transaction again after the wallet has set them.',
    }),
  ]
}

async function judgeSender(
  { from, transaction }: ReadTransaction,
  account: Address | undefined,
  terms: TempoTerms,
): Promise<Finding[]> {
  const findings: Finding[] = []
  const { sender, signature } = transaction
  for (const named of new Set([sender, from]))
    if (named !== undefined && named !== account)
      findings.push(danger('WRONG_SENDER', `The sender is ${named}, not ${account}.`, 'sender'))
  if (signature === undefined || account === undefined) return findings
  const { client, now, webAuthn } = terms
  const digest = hashTempoTransaction(transaction)
  // the chain enforces an access key's limits in transactions, so limited keys are accepted
  const how = { client, now, webAuthn, limitedAccessKeys: 'accept' } as const
  const check = await checkTempoSignature({ account, digest, signature, ...how })
  if (!check.valid)
    findings.push(
      danger(
        'WRONG_SIGNATURE',
        `The sender's ${classifyTempoSignature(signature).kind} signature was not accepted. ${check.message}`,
        'signature',
      ),
    )
  return findings
}

/** Every signature recovers to some address, so the address proves nothing unless it was expected. */
function judgePayer(payer: Payer, account: Address | undefined, { feePayer }: TempoTerms): Finding[] {
  const field = 'feePayer'
  if (payer === 'sender') return []
  if (payer === 'unsigned') {
    const who = feePayer === undefined ? 'A sponsor' : feePayer
    return [
      finding('info', 'FEE_PAYER', `${who} is expected to pay the fee; no sponsor has signed yet.`, {
        field,
      }),
    ]
  }
  if (payer === 'unreadable')
    return [danger('WRONG_FEE_PAYER', "The sponsor's signature cannot be read.", field)]
  if (payer === account)
    return [danger('SELF_SPONSORED', 'The sponsor is the sender, which the chain refuses.', field)]
  if (feePayer === undefined)
    return [
      finding(
        'info',
        'FEE_PAYER',
        `${payer} has signed to pay the fee, but its address was not compared with an expected sponsor.`,
        { field },
      ),
    ]
  if (payer !== feePayer)
    return [danger('WRONG_FEE_PAYER', `${payer} signed as the sponsor, not ${feePayer}.`, field)]
  return []
}

async function payerOf(transaction: TempoTransaction, account: Address | undefined): Promise<Payer> {
  const { feePayerSignature, sponsored } = transaction
  if (!sponsored) return 'sender'
  if (feePayerSignature === undefined) return 'unsigned'
  if (account === undefined) return 'unreadable'
  try {
    const hash = hashTempoFeePayer(transaction, { sender: account })
    return await recoverAddress({ hash, signature: feePayerSignature })
  } catch {
    return 'unreadable'
  }
}

/** Reads the sender without verifying the signature. */
async function senderOf(transaction: TempoTransaction): Promise<Address | undefined> {
  const { sender, signature } = transaction
  if (sender !== undefined || signature === undefined) return sender
  const shown = classifyTempoSignature(signature)
  if (shown.kind === 'keychain') return shown.account
  if (shown.kind === 'p256' || shown.kind === 'webAuthn') return shown.signer
  if (shown.kind === 'unknown') return undefined
  return recoverAddress({ hash: hashTempoTransaction(transaction), signature }).catch(() => undefined)
}

/** Returns a danger if there is an expectation; otherwise a warning, because the user may intend a scheduled payment or a new contract. */
function unasked(
  { calls }: TempoTerms,
  code: 'ACCESS_LIST' | 'CONTRACT_CREATION' | 'NOT_YET_VALID',
  message: string,
  field: string,
): Finding {
  if (calls !== undefined) return danger(code, message, field)
  return finding('warning', code, message, { field, fix: 'Sign it only if you intend this.' })
}

function danger<code extends FindingCode>(
  code: 'danger' extends SeverityOf<code> ? code : never,
  message: string,
  field: string,
): Finding {
  return { severity: 'danger', code, message, field, fix: 'Do not sign it. Ask for a new transaction.' }
}
