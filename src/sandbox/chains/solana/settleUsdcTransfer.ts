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
import type { ExpectedTransfer } from '../../../redeemkit/solana/usdcTransfer/expectedTransfer.ts'
import { checkRent } from '../../../redeemkit/solana/usdcTransfer/expectedTransfer.ts'
import type { Connection } from '../../../redeemkit/solana/usdcTransfer/readAccounts.ts'
import { readTokenAccount } from '../../../redeemkit/solana/usdcTransfer/readAccounts.ts'
import { sponsorUsdcTransfer } from '../../../redeemkit/solana/usdcTransfer/sponsorUsdcTransfer.ts'
import {
  SubmitUnknownError,
  submitUsdcTransfer,
} from '../../../redeemkit/solana/usdcTransfer/submitUsdcTransfer.ts'

/**
 * The service's side of a USDC payment on Solana: inspects the customer's partly signed transaction against
 * the payment, signs it as sponsor, sends it, and follows it to its end. Settling the same transaction again
 * answers with the same signature and pays nothing twice, also when its blockhash is too old by then.
 *
 * The sponsor pays the rent that is expected and no more: where none is (`"0"`), the receiver's token account
 * is looked for before the signed transaction leaves this function.
 *
 * @param options.expected the payment as the service knows it, never as the customer tells it
 * @param options.onSigned called with the whole transaction before anything is sent: the place to write it
 *   down
 * @param options.onSent called once the node has taken it: what fails from then on may have landed
 * @param options.lastValidBlockHeight of the transfer. Left out, that of the newest blockhash is waited for,
 *   which may be a minute more
 * @throws {@link MissingTokenAccountError} when no rent is expected and it would be due; what
 *   `sponsorUsdcTransfer`,
 *   `submitUsdcTransfer` and `confirmUsdcTransfer` throw
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
    // The blockhash is too old: it landed before, or it never will. Following it tells.
    if (error instanceof SubmitUnknownError && error.field === 'blockhash') return error
    throw error
  })
  onSent?.()
  // Nothing that is valid now outlives the newest blockhash.
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
 * Throws when the receiver's token account is gone, so that the sponsor would pay for another one; unless all
 * is over.
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
  throw new MissingTokenAccountError(`${owner} has no token account for USDC any more.`, {
    field: 'to',
    fix: 'Prepare the transfer again.',
  })
}
