import type { Transaction, xdr as Xdr } from '@stellar/stellar-sdk'
import { greatest } from '../../core/amount.ts'
import { type InvalidAddressError, InvalidTransactionError } from '../../core/errors/inputErrors.ts'
import { RefusedTransactionError } from '../../core/errors/transactionErrors.ts'
import { WrongSignatureError, WrongSignerError } from '../../core/errors/walletErrors.ts'
import { addressCredentialsOf } from '../envelope/authEntry.ts'
import { findSignature, type InvalidMemoError, parseTransaction, signEnvelope } from '../envelope/envelope.ts'
import { networkOf } from '../networks.ts'
import { TransactionBuilder, xdr } from '../sdk.ts'
import { type StellarSigner, toSigner } from '../signer/toSigner.ts'
import { checkAddress } from '../values.ts'
import { guardTransaction } from './guardRequest.ts'
import { type signAuthEntry, signEntry } from './signAuthEntry.ts'
import { simulateAsPayer, type simulateCall } from './simulateCall.ts'

/**
 * Signs a payment or a contract call, after checking that it is exactly the expected one.
 *
 * The source of the transaction or of its operation signs the envelope. If a sponsor submits a customer's contract
 * call, the customer signs the authorization entry instead, and the sponsor signs the envelope afterwards. The sponsor
 * passes `client`, so that the declared resources are compared with the sponsor's own simulation.
 *
 * @param options.transaction base64 XDR, as `usdcTransfer` and `stellarTransaction` build it or as a service sends it
 * @returns base64 XDR with the signature added
 * @throws before the wallet is asked: `RefusedTransactionError` and its subclasses, `InvalidBase64Error`,
 * `InvalidTransactionError`; for the sponsor of a call also `ContractCallFailedError`, and `InvalidOptionError` without
 * a simulation
 * @throws from the wallet: `WrongSignerError`, `WrongSignatureError`, `WrongNetworkError`, `UserRejectedError`,
 * `InvalidSignatureError`, `WalletFailedError`
 * @see PROTOCOL.md 9.4
 * @example
 * ```ts
 * import { type Keypair, rpc } from '@stellar/stellar-sdk'
 * import { type ExpectedTransaction, signTransaction } from 'redeemkit/stellar'
 * const environment = 'sandbox'
 * // 4 USDC. Only a contract call needs the sponsor's `client`.
 * async function pay(customer: Keypair, sponsor: Keypair, transaction: string, to: string) {
 *   const parties = { from: customer.publicKey(), sponsor: sponsor.publicKey(), to }
 *   const expected: ExpectedTransaction = { kind: 'payment', ...parties, amount: 40_000_000n }
 *   const signed = await signTransaction(customer, { transaction, expected, environment })
 *   const client = new rpc.Server('https://rpc.example')
 *   return signTransaction(sponsor, { transaction: signed, expected, environment, client })
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
  const parsed = parseTransaction(options.transaction, network)
  const { transaction, feeBump } = parsed
  const payer = feeBump?.feeSource ?? transaction.source
  const simulation = await simulateAsPayer(transaction, { ...options, address, payer })
  guardTransaction(parsed, { ...options, address, simulation })
  const entry = feeBump === undefined && transaction.source !== address && authEntryOf(transaction)
  if (entry) return addEntry(transaction, await signEntry(wallet, entry, options))
  const target = feeBump ?? transaction
  const signers =
    feeBump === undefined
      ? [transaction.source, ...transaction.operations.map((operation) => operation.source)]
      : [feeBump.feeSource]
  if (!signers.includes(address))
    throw new WrongSignerError(`The transaction does not need a signature from ${address}.`, {
      field: 'transaction.source',
      fix: 'Sign it with the account that it names as source.',
    })
  const own = findSignature(options.transaction, { network, digest: target.hash(), address })
  if (own !== undefined) return options.transaction
  if (target.signatures.length >= 20)
    throw new InvalidTransactionError('The transaction cannot take another signature.', {
      field: 'transaction.signatures',
      fix: 'Ask for a new transaction.',
    })
  return signEnvelope(wallet, target, network)
}

export declare namespace signTransaction {
  type Options = signEntry.Options & simulateAsPayer.Options & { transaction: string }
  type ErrorType = signAuthEntry.ErrorType | InvalidMemoError | simulateCall.ErrorType
}

/** Returns the authorization that an address must sign in a transaction, if any. */
function authEntryOf({ operations: [operation] }: Transaction): Xdr.SorobanAuthorizationEntry | undefined {
  const [entry] = operation?.type === 'invokeHostFunction' ? (operation.auth ?? []) : []
  return entry && addressCredentialsOf(entry) && entry
}

/** Inserts a signed authorization and removes the signatures of the envelope, which the sponsor signs afterwards. */
function addEntry(transaction: Transaction, signedEntry: string): string {
  const envelope = transaction.toEnvelope()
  envelope.v1().signatures([])
  const call = envelope.v1().tx().operations()[0]?.body().invokeHostFunctionOp()
  call?.auth([xdr.SorobanAuthorizationEntry.fromXDR(signedEntry, 'base64')])
  return envelope.toXDR('base64')
}

/**
 * Wraps the customer's signed transaction in a fee bump that the sponsor signs, so that the customer needs no XLM.
 *
 * The source of the transaction must be the customer. A fee bump does not sign authorization entries. For a call that a
 * sponsor submits, make the sponsor the source instead (`stellarTransaction`).
 *
 * @param sponsor signs as the fee payer, `expected.sponsor`
 * @param options.client for a call: the sponsor's own RPC server, which simulates it
 * @returns base64 XDR of the signed fee bump
 * @throws `RefusedTransactionError` or a subclass if the inner transaction is not the expected one;
 * `WrongSignatureError` if the customer has not signed it for this network; for a call also `ContractCallFailedError`
 * if the call would fail, and `InvalidOptionError` without a simulation
 * @see CAP-15; PROTOCOL.md 9.4
 * @example
 * ```ts
 * import { Keypair } from '@stellar/stellar-sdk'
 * import { feeBump, type ExpectedTransaction } from 'redeemkit/stellar'
 * async function sponsor(transaction: string, expected: ExpectedTransaction) {
 *   return feeBump(Keypair.random(), { transaction, expected, environment: 'sandbox' })
 * }
 * ```
 */
export async function feeBump(sponsor: StellarSigner, options: feeBump.Options): Promise<string> {
  const network = networkOf(options?.environment)
  const { address } = await toSigner(sponsor, network)
  const inner = parseTransaction(options.transaction, network)
  const expected = options.expected && ({ ...options.expected, sponsorAs: 'feeBump' } as const)
  if (inner.feeBump !== undefined)
    throw new RefusedTransactionError('The transaction is already a fee bump.', {
      field: 'transaction',
      fix: 'Pass the customer’s own transaction.',
    })
  const { transaction } = inner
  const simulation = await simulateAsPayer(transaction, { ...options, address, payer: address })
  guardTransaction(inner, { ...options, expected, address, simulation })
  const customer = checkAddress(transaction.source, 'transaction.source')
  const digest = transaction.hash()
  if (findSignature(options.transaction, { network, digest, address: customer }) === undefined)
    throw new WrongSignatureError(
      `The transaction is not signed by its source ${customer} for ${network.name}.`,
      { field: 'transaction.signatures', fix: 'Have the customer sign it on this network first.' },
    )
  const resourceFee = BigInt(transaction.toEnvelope().v1().tx().ext().value()?.resourceFee().toString() ?? 0)
  const offered = (BigInt(transaction.fee) - resourceFee) / BigInt(transaction.operations.length)
  // The network requires at least the inner transaction's rate, and at least 100 stroops per operation.
  const baseFee = greatest(options.baseFee ?? 100n, offered + 1n, 100n)
  const bump = TransactionBuilder.buildFeeBumpTransaction(
    address,
    baseFee.toString(),
    transaction,
    network.networkPassphrase,
  )
  return signTransaction(sponsor, { ...options, simulation, transaction: bump.toXDR() })
}

export declare namespace feeBump {
  type Options = signTransaction.Options & {
    /**
     * Stroops per operation; the fee bump counts as one operation. Default and minimum: the rate of the inner transaction, at least 100.
     */
    baseFee?: bigint | undefined
  }
  type ErrorType = signTransaction.ErrorType | InvalidAddressError | WrongSignatureError
}
