import { Asset, FeeBumpTransaction, type Transaction, TransactionBuilder, xdr } from '@stellar/stellar-sdk'
import { BaseError } from '../../core/errors/baseError.ts'
import { parseBase64 } from '../encoding/parseBase64.ts'
import type { StellarNetwork } from '../networks.ts'

/** A parsed envelope: the transaction that executes, and the fee bump around it, when there is one. */
export type ParsedTransaction = {
  transaction: Transaction
  feeBump: FeeBumpTransaction | undefined
}

/**
 * Reads base64 XDR of a transaction envelope, strictly.
 *
 * The passphrase is not in the envelope: reading with a wrong one succeeds, and only the hash differs.
 *
 * @throws `InvalidBase64Error` {@link InvalidTransactionError}
 */
export function parseTransaction(transactionXdr: string, network: StellarNetwork): ParsedTransaction {
  parseBase64(transactionXdr, 'transaction')
  try {
    const parsed = TransactionBuilder.fromXDR(transactionXdr, network.networkPassphrase)
    const envelope = parsed.toEnvelope()
    // The layout of before 2020 carries the same signatures in another frame; nobody writes it any more.
    if (envelope.switch().name === 'envelopeTypeTxV0' || envelope.toXDR('base64') !== transactionXdr)
      throw new Error('Not canonical XDR of a present-day envelope.')
    const [transaction, feeBump] =
      parsed instanceof FeeBumpTransaction ? [parsed.innerTransaction, parsed] : [parsed, undefined]
    for (const operation of transaction.toEnvelope().v1().tx().operations()) {
      const body = operation.body()
      const asset = body.switch().name === 'payment' ? body.paymentOp().asset() : undefined
      // The SDK reads a code of four letters in the frame of twelve as that of four; to the network it is no asset at all.
      if (asset && Asset.fromOperation(asset).toXDRObject().toXDR('base64') !== asset.toXDR('base64'))
        throw new Error('Not a canonical asset.')
    }
    return { transaction, feeBump }
  } catch (cause) {
    throw new InvalidTransactionError('The base64 text is not a Stellar transaction.', {
      field: 'transaction',
      cause,
      fix: 'Hand over the base64 XDR of a whole TransactionEnvelope, as `transaction.toXDR()` writes it.',
    })
  }
}

/**
 * Reads base64 XDR of an authorization entry, or of the preimage of its signature, as wallets get to see it.
 *
 * @throws `InvalidBase64Error` {@link InvalidTransactionError}
 */
export function parseAuthEntry(
  entryXdr: string,
): xdr.SorobanAuthorizationEntry | xdr.HashIdPreimageSorobanAuthorization {
  parseBase64(entryXdr, 'authEntry')
  for (const type of [xdr.SorobanAuthorizationEntry, xdr.HashIdPreimage]) {
    try {
      const parsed = type.fromXDR(entryXdr, 'base64')
      if (parsed.toXDR('base64') !== entryXdr) continue
      return parsed instanceof xdr.HashIdPreimage ? parsed.sorobanAuthorization() : parsed
    } catch {}
  }
  throw new InvalidTransactionError('The base64 text is not a Soroban authorization entry.', {
    field: 'authEntry',
    fix: 'Hand over the base64 XDR of a SorobanAuthorizationEntry, or of the HashIdPreimage to sign.',
  })
}

/** Text that is base64, but not what it should be. */
export class InvalidTransactionError extends BaseError {
  override readonly name = 'InvalidTransactionError'
}
