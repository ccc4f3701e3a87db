import { type Address, type Hex, recoverAddress } from 'viem'
import { formatAmount } from '../../core/amount/formatAmount.ts'
import { InvalidTransactionError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { type Finding, type Inspection, verdictOf } from '../../core/finding/finding.ts'
import type { FindingCode } from '../../core/finding/findingCatalogue.ts'
import { type Clock, unixSeconds } from '../../core/time/clock.ts'
import type { EvmClient } from '../../evm/client/evmClient.ts'
import { checkAddress } from '../../evm/values/checkAddress.ts'
import { checkHex } from '../../evm/values/checkHex.ts'
import { checkRecord } from '../../evm/values/checkKeys.ts'
import { classifyTempoSignature } from '../signature/classifyTempoSignature.ts'
import { checkTempoSignature } from '../verify/checkTempoSignature.ts'
import { checkWebAuthnExpectation } from '../verify/checkWebAuthnExpectation.ts'
import type { WebAuthnExpectation } from '../verify/webAuthnExpectation.ts'
import { hashTempoFeePayer } from './hashTempoFeePayer.ts'
import { hashTempoTransaction } from './hashTempoTransaction.ts'
import { parseTempoTransaction } from './parseTempoTransaction.ts'
import type { TempoTransaction } from './tempoTransaction.ts'

/** What a Tempo transaction was asked for. Everything else in it is refused. */
export type TempoTransactionExpectation = {
  chainId: number
  /** The customer, who sends it. */
  account: Address
  /** Exactly these calls, in this order, without value. */
  calls: readonly { to: Address; data: Hex }[]
  /** Whether somebody else must pay the fee. Default true. */
  sponsored?: boolean | undefined
  /** Who that must be, once it has signed. */
  feePayer?: Address | undefined
  /** The token that the fee must be paid in. A sponsored transaction may leave it to its sponsor. */
  feeToken?: Address | undefined
  /**
   * The most that the fee may be, in raw units of a 6-decimal dollar token. Default: 1 USD when the customer pays it, and no
   * bound when a sponsor does, who names its own.
   */
  maxFee?: bigint | undefined
  nonce?: bigint | undefined
  nonceKey?: bigint | undefined
  /** For passkeys: what their signature is held against. */
  webAuthn?: WebAuthnExpectation | undefined
  /** Reads the chain; needed to judge an access key's signature. */
  client?: EvmClient | undefined
  now?: Clock | undefined
}

/** A Tempo transaction in words of the chain, and what its fee can come to. */
export type TempoTransactionDetails = {
  transaction: TempoTransaction
  /** The most that the fee can be, in raw units of a 6-decimal dollar token, rounded up. */
  maxFee: bigint
}

const attodollarsPerUnit = 1_000_000_000_000n
/** What a customer pays at most when the caller sets no limit: 1 USD. */
const customerMaxFee = 1_000_000n

/**
 * Says what a Tempo transaction does, and refuses whatever goes beyond what was asked: another chain, another or one more
 * call, value, a contract creation, an account delegation, a key authorization, an access list, a fee for the wrong
 * payer, a signature of somebody else, a time that has passed.
 *
 * @param serialized type 0x76, or 0x78 as handed to a sponsor
 * @returns `refuse` with a finding for each thing that was not asked for
 * @throws {@link InvalidTransactionError} when it cannot be read at all
 * @see Tempo Transactions
 * @example
 * ```ts
 * import { inspectTempoTransaction } from 'redeemkit/tempo'
 *
 * const inspection = await inspectTempoTransaction(
 *   '0x76e501808080d8d79470997970c51812dc3a010c7d01b50e0d17dc79c88080c0808080808080c0',
 *   {
 *     chainId: 42431,
 *     account: '0x480F8659821A7a5f6209cDA338A53E9Dea09DB46',
 *     calls: [{ to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', data: '0x' }],
 *   },
 * )
 * inspection.verdict // 'refuse': another chain, and no sponsor
 * ```
 */
export async function inspectTempoTransaction(
  serialized: Hex,
  expected: TempoTransactionExpectation,
): Promise<Inspection<TempoTransactionDetails>> {
  checkRecord(expected, 'expected')
  const transaction = parseTempoTransaction(serialized)
  const account = checkAddress(expected.account, 'account')
  checkWebAuthnExpectation(expected.webAuthn)
  if (!Array.isArray(expected.calls))
    throw new InvalidTransactionError('The calls that were asked for are missing.', {
      field: 'calls',
      fix: 'Give the list of them; an empty one when there is none.',
    })
  const maxFee = feeOf(transaction)
  const findings: Finding[] = [
    ...inspectCalls(transaction, expected),
    ...inspectFrame(transaction, expected),
    ...inspectFee(transaction, expected, maxFee),
    ...(await inspectSignatures(transaction, account, expected)),
  ]
  const count = transaction.calls.length
  const payer = transaction.sponsored ? 'somebody else' : account
  return {
    kind: 'tempoTransaction',
    summary: `${account} makes ${count} call${count === 1 ? '' : 's'} on Tempo; ${payer} pays a fee of at most ${formatAmount(maxFee, { decimals: 6 })} USD.`,
    verdict: verdictOf(findings),
    findings,
    details: { transaction, maxFee },
  }
}

export declare namespace inspectTempoTransaction {
  type ErrorType = InvalidTransactionError | checkTempoSignature.ErrorType | hashTempoFeePayer.ErrorType
}

/** The most that a transaction's fee can be, in raw units of a 6-decimal dollar token. */
function feeOf({ gas, maxFeePerGas }: TempoTransaction): bigint {
  return (gas * maxFeePerGas + attodollarsPerUnit - 1n) / attodollarsPerUnit
}

function* inspectCalls(
  transaction: TempoTransaction,
  expected: TempoTransactionExpectation,
): Generator<Finding> {
  const { calls } = transaction
  if (calls.length !== expected.calls.length)
    yield danger(
      'CALL_COUNT',
      `It makes ${calls.length} calls; ${expected.calls.length} were asked for.`,
      'calls',
    )
  for (const [index, call] of calls.entries()) {
    const field = `calls.${index}`
    if (call.to === undefined) yield danger('CONTRACT_CREATION', `Call ${index} creates a contract.`, field)
    if (call.value !== 0n)
      yield danger('UNEXPECTED_VALUE', `Call ${index} carries value ${call.value}.`, field)
    if (index >= expected.calls.length) continue
    const asked = expected.calls[index]
    const [to, data] = [checkAddress(asked?.to, `${field}.to`), checkHex(asked?.data, `${field}.data`)]
    if (call.to !== undefined && call.to !== to)
      yield danger('WRONG_TARGET', `Call ${index} goes to ${call.to}, not to ${to}.`, `${field}.to`)
    if (call.data !== data.toLowerCase())
      yield danger('WRONG_DATA', `Call ${index} carries other data than was asked for.`, `${field}.data`)
  }
}

function* inspectFrame(
  transaction: TempoTransaction,
  expected: TempoTransactionExpectation,
): Generator<Finding> {
  const { chainId, nonce, nonceKey, validAfter, validBefore } = transaction
  const now = unixSeconds(expected.now)
  if (chainId !== expected.chainId)
    yield danger('WRONG_CHAIN', `It is for chain ${chainId}, not ${showValue(expected.chainId)}.`, 'chainId')
  if (expected.nonce !== undefined && nonce !== expected.nonce)
    yield danger('WRONG_NONCE', `Its nonce is ${nonce}, not ${expected.nonce}.`, 'nonce')
  if (expected.nonceKey !== undefined && nonceKey !== expected.nonceKey)
    yield danger('WRONG_NONCE_KEY', `Its nonce key is ${nonceKey}, not ${expected.nonceKey}.`, 'nonceKey')
  if (validBefore !== undefined && validBefore <= now)
    yield danger('EXPIRED', `It was valid before ${validBefore} only; now it is ${now}.`, 'validBefore')
  if (validAfter !== undefined && validAfter > now)
    yield danger('NOT_YET_VALID', `It is valid after ${validAfter}; now it is ${now}.`, 'validAfter')
  if (transaction.accessList !== undefined)
    yield danger('ACCESS_LIST', 'It carries an access list that was not asked for.', 'accessList')
  if (transaction.authorizationList !== undefined)
    yield danger(
      'ACCOUNT_DELEGATION',
      'It hands accounts over to other code (EIP-7702).',
      'authorizationList',
    )
  if (transaction.keyAuthorization !== undefined)
    yield danger('KEY_AUTHORIZATION', 'It gives another key power over the account.', 'keyAuthorization')
}

function* inspectFee(
  transaction: TempoTransaction,
  expected: TempoTransactionExpectation,
  maxFee: bigint,
): Generator<Finding> {
  const { feeToken, sponsored } = transaction
  if (sponsored !== (expected.sponsored ?? true))
    yield sponsored
      ? danger('UNEXPECTED_SPONSOR', 'Somebody else would pay the fee, which was not asked for.', 'feePayer')
      : danger('NOT_SPONSORED', 'The customer would pay the fee.', 'feePayer')
  if (
    expected.feeToken !== undefined &&
    (feeToken !== undefined || !sponsored) &&
    feeToken !== checkAddress(expected.feeToken, 'feeToken')
  )
    yield danger(
      'WRONG_FEE_TOKEN',
      `The fee is paid in ${feeToken ?? 'whatever token the chain chooses'}, not in ${expected.feeToken}.`,
      'feeToken',
    )
  const most = expected.maxFee ?? (sponsored ? maxFee : customerMaxFee)
  if (!(maxFee <= most))
    yield danger('FEE_TOO_HIGH', `The fee can be ${maxFee}; the most allowed is ${most}.`, 'gas')
}

async function inspectSignatures(
  transaction: TempoTransaction,
  account: Address,
  expected: TempoTransactionExpectation,
): Promise<Finding[]> {
  const findings: Finding[] = []
  const { feePayerSignature, sender, signature } = transaction
  if (sender !== undefined && sender !== account)
    findings.push(danger('WRONG_SENDER', `It names ${sender} as its sender, not ${account}.`, 'sender'))
  if (signature !== undefined) {
    const { client, now, webAuthn } = expected
    const digest = hashTempoTransaction(transaction)
    // the chain itself holds an access key to its limits when it sends a transaction
    const check = await checkTempoSignature({
      account,
      digest,
      signature,
      client,
      now,
      webAuthn,
      limitedAccessKeys: 'accept',
    })
    if (!check.valid)
      findings.push(
        danger(
          'WRONG_SIGNATURE',
          `The sender's ${classifyTempoSignature(signature).kind} signature: ${check.message}`,
          'signature',
        ),
      )
  }
  if (feePayerSignature === undefined) return findings
  const payer = await feePayerOf(transaction, feePayerSignature, account)
  if (payer === undefined)
    findings.push(danger('WRONG_FEE_PAYER', "The sponsor's signature cannot be read.", 'feePayer'))
  else if (payer === account)
    findings.push(danger('SELF_SPONSORED', 'The sponsor is the sender, which the chain refuses.', 'feePayer'))
  else if (expected.feePayer === undefined)
    findings.push({
      severity: 'info',
      code: 'FEE_PAYER',
      message: `${payer} pays the fee.`,
      field: 'feePayer',
    })
  else if (payer !== checkAddress(expected.feePayer, 'feePayer'))
    findings.push(
      danger('WRONG_FEE_PAYER', `${payer} signed as the sponsor, not ${expected.feePayer}.`, 'feePayer'),
    )
  return findings
}

async function feePayerOf(
  transaction: TempoTransaction,
  feePayerSignature: Hex,
  account: Address,
): Promise<Address | undefined> {
  try {
    const hash = hashTempoFeePayer(transaction, { sender: account })
    return await recoverAddress({ hash, signature: feePayerSignature })
  } catch {
    return undefined
  }
}

function danger(code: FindingCode, message: string, field: string): Finding {
  return { severity: 'danger', code, message, field, fix: 'Do not sign it; ask for the transaction again.' }
}
