import { parseAddress, tokenAccountOf } from '../../../redeemkit/solana/address.ts'
import { formatBase58 } from '../../../redeemkit/solana/encoding.ts'
import { networkOf } from '../../../redeemkit/solana/networks.ts'
import type { SolanaSigner } from '../../../redeemkit/solana/signer/solanaSigner.ts'
import {
  readTransaction,
  type TransactionLike,
} from '../../../redeemkit/solana/transaction/parseTransaction.ts'
import { confirmUsdcTransfer } from '../../../redeemkit/solana/usdcTransfer/confirmUsdcTransfer.ts'
import { MissingTokenAccountError } from '../../../redeemkit/solana/usdcTransfer/errors.ts'
import { checkRent, type ExpectedTransfer } from '../../../redeemkit/solana/usdcTransfer/expectedTransfer.ts'
import { type Connection, readTokenAccount } from '../../../redeemkit/solana/usdcTransfer/readAccounts.ts'
import { sponsorUsdcTransfer } from '../../../redeemkit/solana/usdcTransfer/sponsorUsdcTransfer.ts'
import {
  SubmitUnknownError,
  submitUsdcTransfer,
} from '../../../redeemkit/solana/usdcTransfer/submitUsdcTransfer.ts'

/**
 * Settles a USDC payment on Solana: checks the customer's partly signed transaction against the payment, signs it as
 * sponsor, submits it and waits until it is confirmed. Settling the same transaction again returns the same signature and
 * pays nothing twice, even after its blockhash has expired.
 *
 * The sponsor pays exactly the expected rent: if that is `"0"`, this function checks that the receiver's token account
 * exists before it submits the transaction.
 *
 * @param options.expected the payment from the service's records, never from the customer's request
 * @param options.onSigned called with the complete transaction before it is submitted: record it here
 * @param options.onSent called once the node accepted it: after a later failure it may still be included
 * @param options.lastValidBlockHeight of the transfer. Default: that of the newest blockhash, which may take a minute
 *   longer
 */
export async function settleUsdcTransfer(
  connection: Pick<
    Connection,
    'getAccountInfo' | 'getLatestBlockhash' | 'sendRawTransaction' | 'getSignatureStatuses' | 'getEpochInfo'
  >,
  options: settleUsdcTransfer.Options,
): Promise<{ signature: string; slot: number }> {
  const { sponsor, expected, transaction, lastValidBlockHeight, onSigned, onSent, signal } = options
  const signed = await sponsorUsdcTransfer(sponsor, { transaction, expected })
  if (expected.rent !== undefined && checkRent(expected.rent) === 0n)
    await refuseRent(connection, { expected, signed })
  await onSigned?.(signed)
  const { signature } = await submitUsdcTransfer(connection, signed).catch((error: unknown) => {
    // The blockhash has expired: the transaction was included earlier or never will be. Confirming it finds out.
    if (error instanceof SubmitUnknownError && error.field === 'blockhash') return error
    throw error
  })
  onSent?.()
  // No transaction that is valid now outlives the newest blockhash.
  const last = lastValidBlockHeight ?? (await connection.getLatestBlockhash('confirmed')).lastValidBlockHeight
  return confirmUsdcTransfer(connection, {
    signature,
    lastValidBlockHeight: last,
    pollMs: options.pollMs ?? 200,
    signal,
  })
}

export declare namespace settleUsdcTransfer {
  type Options = {
    sponsor: SolanaSigner
    /** Signed by the customer. */
    transaction: TransactionLike
    expected: ExpectedTransfer & { sponsor: string }
    lastValidBlockHeight?: number | undefined
    onSigned?: ((signed: { transaction: string }) => Promise<void> | void) | undefined
    onSent?: (() => void) | undefined
    pollMs?: number | undefined
    signal?: AbortSignal | undefined
  }
}

/**
 * Throws if the receiver's token account no longer exists, because the sponsor would pay for a new one. Does nothing
 * if the transaction is already included.
 */
async function refuseRent(
  connection: Pick<Connection, 'getAccountInfo' | 'getSignatureStatuses'>,
  options: { expected: ExpectedTransfer; signed: { transaction: string } },
): Promise<void> {
  const { expected, signed } = options
  const { usdcMint: mint } = networkOf(expected.environment)
  const owner = parseAddress(expected.to, { field: 'to' })
  const account = await readTokenAccount(connection, tokenAccountOf({ owner, mint }))
  if (account?.owner === owner) return
  const signature = formatBase58(readTransaction(signed.transaction).signatures[0] ?? new Uint8Array())
  const { value } = await connection.getSignatureStatuses([signature], { searchTransactionHistory: true })
  if (value[0]) return
  throw new MissingTokenAccountError(`${owner} no longer has a USDC token account.`, {
    field: 'to',
    fix: 'Prepare the transfer again.',
  })
}
