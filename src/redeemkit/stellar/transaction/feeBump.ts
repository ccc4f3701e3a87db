import { greatest } from '../../core/amount/extremes.ts'
import type { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { RefusedTransactionError } from '../../core/errors/transactionErrors.ts'
import { WrongSignatureError } from '../../core/errors/walletErrors.ts'
import { parseTransaction } from '../envelope/parseTransaction.ts'
import { findSignature } from '../envelope/signEnvelope.ts'
import { networkOf } from '../networks.ts'
import { TransactionBuilder } from '../sdk.ts'
import { type StellarSigner, toSigner } from '../signer/toSigner.ts'
import { checkAddress } from '../values.ts'
import { guardTransaction } from './guardRequest.ts'
import { signTransaction } from './signTransaction.ts'
import { simulateAsPayer } from './simulateCall.ts'

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
