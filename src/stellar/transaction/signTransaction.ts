import { type Transaction, TransactionBuilder, xdr } from '@stellar/stellar-sdk'
import { InvalidTransactionError } from '../../core/errors/inputErrors.ts'
import { WrongSignerError } from '../../core/errors/walletErrors.ts'
import { formatBase64 } from '../encoding/formatBase64.ts'
import { findSignature } from '../envelope/findSignature.ts'
import { parseTransaction } from '../envelope/parseTransaction.ts'
import type { ExpectedTransaction } from '../expected/expectedTransaction.ts'
import { networkOf } from '../networks.ts'
import { type StellarSigner, toSigner } from '../signer/toSigner.ts'
import { guardRequest } from './guardRequest.ts'
import { signAuthEntry } from './signAuthEntry.ts'

/**
 * Signs a payment or a contract call, after proving that it is the expected one and nothing else.
 *
 * A wallet that stands as source of the transaction or of its operation signs the envelope. A customer whose call a
 * sponsor submits signs the authorization entry inside instead; the sponsor signs the envelope afterwards.
 *
 * @param options.transaction base64 XDR, as `usdcTransfer` and `stellarTransaction` build it or as a service sends it
 * @returns base64 XDR with the signature added
 * @throws `RefusedTransactionError` and its kin, `InvalidBase64Error`, `InvalidTransactionError` before the wallet is
 * asked; `WrongSignerError`, `WrongSignatureError`, `WrongNetworkError`, `UserRejectedError`, `InvalidSignatureError`,
 * `WalletFailedError` at it
 * @example
 * ```ts
 * import { Keypair } from '@stellar/stellar-sdk'
 * import { signTransaction } from 'redeemkit/stellar'
 * async function pay(transaction: string, to: string) {
 *   const customer = Keypair.random()
 *   const expected = { kind: 'payment', from: customer.publicKey(), to, amount: 40_000_000n } as const
 *   return signTransaction(customer, { transaction, expected, environment: 'sandbox' })
 * }
 * ```
 */
export async function signTransaction(
  signer: StellarSigner,
  options: signTransaction.Options,
): Promise<string> {
  const network = networkOf(options?.environment)
  const wallet = await toSigner(signer, network)
  const { address } = wallet
  const { transaction, feeBump } = parseTransaction(options.transaction, network)
  guardRequest({ transaction: options.transaction }, { ...options, address })

  const entry = feeBump === undefined && transaction.source !== address && authEntryOf(transaction)
  if (entry) return signInside(signer, { ...options, authEntry: entry.toXDR('base64') }, transaction)
  const target = feeBump ?? transaction
  const signers =
    feeBump === undefined ? [transaction.source, transaction.operations[0]?.source] : [feeBump.feeSource]
  if (!signers.includes(address))
    throw new WrongSignerError(`The transaction needs no signature of ${address}.`, {
      field: 'transaction.source',
      fix: 'Sign it with the account that it names as source.',
    })
  const digest = target.hash()
  const find = (signed: string) => findSignature(signed, { network, digest, address })
  if (find(options.transaction) !== undefined) return options.transaction
  if (target.signatures.length >= 20)
    throw new InvalidTransactionError('The transaction cannot take another signature.', {
      field: 'transaction.signatures',
      fix: 'Have it built again.',
    })
  const signature = await wallet.signTransaction(options.transaction, digest, find)
  const copy = TransactionBuilder.fromXDR(options.transaction, network.networkPassphrase)
  copy.addSignature(address, formatBase64(signature))
  return copy.toXDR()
}

export declare namespace signTransaction {
  type Options = Omit<signAuthEntry.Options, 'authEntry'> & {
    transaction: string
    expected: ExpectedTransaction
  }
  type ErrorType = signAuthEntry.ErrorType
}

/** The authorization in a transaction that an address has to sign, when there is one. */
function authEntryOf({ operations: [operation] }: Transaction): xdr.SorobanAuthorizationEntry | undefined {
  const [entry] = operation?.type === 'invokeHostFunction' ? (operation.auth ?? []) : []
  return entry?.credentials().switch().name === 'sorobanCredentialsAddress' ? entry : undefined
}

/** Signs the authorization inside, and takes the signatures off the envelope, which the sponsor signs afterwards. */
async function signInside(
  signer: StellarSigner,
  options: signAuthEntry.Options,
  transaction: Transaction,
): Promise<string> {
  const signed = xdr.SorobanAuthorizationEntry.fromXDR(await signAuthEntry(signer, options), 'base64')
  const envelope = transaction.toEnvelope()
  envelope.v1().signatures([])
  envelope.v1().tx().operations()[0]?.body().invokeHostFunctionOp().auth([signed])
  return envelope.toXDR('base64')
}
