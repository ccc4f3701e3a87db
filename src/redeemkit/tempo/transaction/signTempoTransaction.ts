import type { Address, Hex } from 'viem'
import { checkOptions } from '../../core/checkOptions.ts'
import { RefusedTransactionError } from '../../core/errors/transactionErrors.ts'
import type { Finding } from '../../core/finding/finding.ts'
import { checkNonZeroAddress } from '../../evm/checkAddress.ts'
import type { askWallet } from '../../evm/signer/askWallet.ts'
import { checkRecord, checkUint } from '../../evm/values.ts'
import { recoverAddress } from '../../evm/viem.ts'
import { checkTempoSignature } from '../signature/checkTempoSignature.ts'
import { parseTempoSignature } from '../signature/tempoSignature.ts'
import { askKey } from '../signer/tempoSigner.ts'
import { inspectTempoTransaction } from './inspectTempoTransaction.ts'
import {
  hashTempoFeePayer,
  hashTempoTransaction,
  serializeTempoTransaction,
} from './serializeTempoTransaction.ts'
import { checkTempoExpectation, type TempoTransactionExpectation } from './tempoTransactionExpectation.ts'

/**
 * Signs a Tempo transaction as its sender, after comparing it with the expectation. If anything differs, it does not ask the key to sign.
 *
 * @param signer an object with `sign({ hash })`: a viem account, `passkeySigner`, `webCryptoSigner` or `accessKeySigner`
 * @param options.serialized the unsigned transaction (0x76)
 * @returns the signed transaction. If it is sponsored, the sponsor must still sign, unless the sponsor signed first
 * @throws {@link RefusedTransactionError} with the findings; InvalidTransactionError;
 *   the errors of `askKey`, such as UserRejectedError and WalletFailedError, if the key does not sign
 * @see Tempo Transactions, "Fee sponsorship"
 * @example
 * ```ts
 * import { buildTempoTransaction, serializeTempoTransaction, signTempoTransaction } from 'redeemkit/tempo'
 * import { privateKeyToAccount } from 'viem/accounts'
 *
 * const account = privateKeyToAccount(`0x${'01'.repeat(32)}`)
 * const calls = [{ to: '0x20C0000000000000000000000000000000000000', data: '0x18160ddd' }] as const
 * const serialized = serializeTempoTransaction(
 *   buildTempoTransaction({ chainId: 42431, calls, gas: 1_000_000n, maxFeePerGas: 20_000_000_000n, nonce: 0n }),
 * )
 * await signTempoTransaction(account, {
 *   serialized,
 *   expected: { chainId: 42431, account: account.address, calls },
 * })
 * ```
 */
export async function signTempoTransaction(
  signer: signTempoTransaction.Signer,
  options: signTempoTransaction.Options,
): Promise<Hex> {
  checkOptions(options, { serialized: 'any', expected: 'any' })
  const { expected, serialized } = options
  const { details, findings, verdict } = await inspectTempoTransaction(serialized, expected)
  const { transaction } = details
  if (verdict === 'refuse') throw refusedTransaction(findings)
  if (transaction.signature !== undefined)
    throw refusedTransaction([], 'The sender has already signed the transaction.')
  const { feeToken, sender: _sender, ...rest } = transaction
  // The sponsor chooses the fee token, so the sender's digest omits it. A sponsor that signed first has already committed to a token.
  const open = rest.sponsored && rest.feePayerSignature === undefined
  const unsigned = open ? rest : { ...rest, feeToken }
  const digest = hashTempoTransaction(unsigned)
  const signature = await askKey(signer, digest)
  const { account, client, now, webAuthn } = expected
  const how = { client, now, webAuthn, limitedAccessKeys: 'accept' } as const
  const check = await checkTempoSignature({ account, digest, signature, ...how })
  if (!check.valid && check.problem !== 'ACCESS_KEY_UNCHECKED')
    throw refusedTransaction([], `The signer did not sign for the account: ${check.message}`)
  return serializeTempoTransaction({ ...unsigned, signature })
}

export declare namespace signTempoTransaction {
  type Signer = { sign: (parameters: { hash: Hex }) => Promise<Hex> }
  type Options = { serialized: Hex; expected: TempoTransactionExpectation }
  type ErrorType = RefusedTransactionError | inspectTempoTransaction.ErrorType | askWallet.ErrorType
}

/** The error for a transaction that was not signed, because it differs from the expectation. */
function refusedTransaction(findings: readonly Finding[], message?: string): RefusedTransactionError {
  const dangers = findings.filter((finding) => finding.severity === 'danger')
  return new RefusedTransactionError(message ?? dangers.map((finding) => finding.message).join(' '), {
    field: dangers[0]?.field ?? 'transaction',
    fix: 'Do not sign it. Ask for a new transaction.',
    source: 'Tempo Transactions',
    findings,
  })
}

/**
 * Co-signs a customer's Tempo transaction as its fee payer, after checking the customer's signature, the calls and the maximum fee.
 *
 * @param sponsor a secp256k1 account with `address` and `sign({ hash })`, such as a viem account
 * @param options.serialized signed by the customer: 0x76 with the placeholder, or the 0x78 handoff form
 * @param options.feeToken the TIP-20 token that the sponsor pays in
 * @param options.expected the expected transaction. `maxFee` is required, in raw units of a 6-decimal dollar token. Set `maxValidBefore`
 * to limit how long the customer can make the sponsor pay
 * @returns the complete transaction, ready for `eth_sendRawTransaction`
 * @throws {@link RefusedTransactionError} with the findings; InvalidTransactionError;
 *   the errors of `askKey`, such as UserRejectedError and WalletFailedError, if the key does not sign
 * @see Tempo Transactions, "Fee sponsorship"
 * @example
 * ```ts
 * import {
 *   buildTempoTransaction,
 *   serializeTempoTransaction,
 *   signTempoTransaction,
 *   sponsorTempoTransaction,
 * } from 'redeemkit/tempo'
 * import { privateKeyToAccount } from 'viem/accounts'
 *
 * const account = privateKeyToAccount(`0x${'01'.repeat(32)}`)
 * const calls = [{ to: '0x20C0000000000000000000000000000000000000', data: '0x18160ddd' }] as const
 * const serialized = serializeTempoTransaction(
 *   buildTempoTransaction({ chainId: 42431, calls, gas: 1_000_000n, maxFeePerGas: 20_000_000_000n, nonce: 0n }),
 * )
 * const expected = { chainId: 42431, account: account.address, calls, maxFee: 50_000n }
 * const signed = await signTempoTransaction(account, { serialized, expected })
 * await sponsorTempoTransaction(privateKeyToAccount(`0x${'02'.repeat(32)}`), {
 *   serialized: signed,
 *   feeToken: '0x20C0000000000000000000000000000000000000',
 *   expected,
 * }) // for eth_sendRawTransaction
 * ```
 */
export async function sponsorTempoTransaction(
  sponsor: sponsorTempoTransaction.Sponsor,
  options: sponsorTempoTransaction.Options,
): Promise<Hex> {
  checkRecord(sponsor, 'sponsor')
  checkOptions(options, { serialized: 'any', feeToken: 'any', expected: 'object' })
  const feeToken = checkNonZeroAddress(options.feeToken, 'feeToken')
  const payer = checkNonZeroAddress(sponsor.address, 'sponsor.address')
  const asked = checkTempoExpectation(options.expected)
  const expected = { ...asked, maxFee: checkUint(asked.maxFee, 'expected.maxFee') }
  const { details, findings, verdict } = await inspectTempoTransaction(options.serialized, {
    ...expected,
    sponsored: true,
  })
  const { sender: _sender, ...transaction } = details.transaction
  if (verdict === 'refuse') throw refusedTransaction(findings)
  if (transaction.signature === undefined)
    throw refusedTransaction([], 'The customer has not signed the transaction.')
  if (transaction.feePayerSignature !== undefined)
    throw refusedTransaction([], 'The transaction already has a sponsor.')
  const account = checkNonZeroAddress(expected.account, 'expected.account')
  if (payer === account) throw refusedTransaction([], 'The sponsor is the customer, which the chain refuses.')

  const complete = { ...transaction, feeToken }
  const hash = hashTempoFeePayer(complete, { sender: account })
  const feePayerSignature = await askKey(sponsor, hash)
  // Tempo accepts only secp256k1 signatures of sponsors
  const { type } = parseTempoSignature(feePayerSignature)
  if (type !== 'secp256k1' || (await recoverAddress({ hash, signature: feePayerSignature })) !== payer)
    throw refusedTransaction([], `The sponsor's key did not sign as ${payer} with secp256k1.`)
  return serializeTempoTransaction({ ...complete, feePayerSignature })
}

export declare namespace sponsorTempoTransaction {
  type Sponsor = { address: Address; sign: (parameters: { hash: Hex }) => Promise<Hex> }
  type Options = {
    serialized: Hex
    feeToken: Address
    expected: TempoTransactionExpectation & { maxFee: bigint }
  }
  type ErrorType = RefusedTransactionError | inspectTempoTransaction.ErrorType | askWallet.ErrorType
}
