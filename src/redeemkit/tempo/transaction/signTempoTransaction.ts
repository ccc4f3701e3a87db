import type { Hex } from 'viem'
import { checkOptions } from '../../core/checkOptions.ts'
import type { RefusedTransactionError } from '../../core/errors/transactionErrors.ts'
import type { askWallet } from '../../evm/signer/askWallet.ts'
import { askKey } from '../signer/tempoSigner.ts'
import { checkTempoSignature } from '../verify/checkTempoSignature.ts'
import { inspectTempoTransaction } from './inspectTempoTransaction.ts'
import { hashTempoTransaction, serializeTempoTransaction } from './serializeTempoTransaction.ts'
import { refusedTransaction } from './tempoTransaction.ts'
import type { TempoTransactionExpectation } from './tempoTransactionExpectation.ts'

/**
 * Signs a Tempo transaction as its sender, after comparing it with the expectation. If anything differs, it does not ask the key to sign.
 *
 * @param signer an object with `sign({ hash })`: a viem account, `passkeySigner`, `webCryptoSigner` or `accessKeySigner`
 * @param options.serialized the unsigned transaction (0x76)
 * @returns the signed transaction. If it is sponsored, the sponsor must still sign, unless the sponsor signed first
 * @throws {@link RefusedTransactionError} with the findings; {@link InvalidTransactionError};
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
  const check = await checkTempoSignature({
    account,
    digest,
    signature,
    client,
    now,
    webAuthn,
    limitedAccessKeys: 'accept',
  })
  if (!check.valid && check.problem !== 'ACCESS_KEY_UNCHECKED')
    throw refusedTransaction([], `The signer did not sign for the account: ${check.message}`)
  return serializeTempoTransaction({ ...unsigned, signature })
}

export declare namespace signTempoTransaction {
  type Signer = { sign: (parameters: { hash: Hex }) => Promise<Hex> }
  type Options = { serialized: Hex; expected: TempoTransactionExpectation }
  type ErrorType = RefusedTransactionError | inspectTempoTransaction.ErrorType | askWallet.ErrorType
}
