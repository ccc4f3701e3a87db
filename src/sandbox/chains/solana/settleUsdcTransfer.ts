import type { checkUsdcTransfer } from '../../../solana/inspect/checkUsdcTransfer.ts'
import type { SolanaSigner } from '../../../solana/signer/toSigner.ts'
import type { TransactionLike } from '../../../solana/transaction/readTransaction.ts'
import { confirmUsdcTransfer } from '../../../solana/usdcTransfer/confirmUsdcTransfer.ts'
import type { Connection } from '../../../solana/usdcTransfer/connection.ts'
import { sponsorUsdcTransfer } from '../../../solana/usdcTransfer/sponsorUsdcTransfer.ts'
import { submitUsdcTransfer } from '../../../solana/usdcTransfer/submitUsdcTransfer.ts'

/**
 * The service's side of a USDC payment on Solana: inspects the customer's partly signed transaction against the payment,
 * signs it as sponsor, sends it, and follows it to its end. Settling the same transaction again answers with the same
 * signature and pays nothing twice.
 *
 * @param options.expected the payment as the service knows it, never as the customer tells it
 * @param options.onSigned called with the whole transaction before anything is sent: the place to write it down
 * @param options.onSent called once the node has taken it: what fails from then on may have landed
 * @throws what `sponsorUsdcTransfer`, `submitUsdcTransfer` and `confirmUsdcTransfer` throw
 */
export async function settleUsdcTransfer(
  connection: Pick<
    Connection,
    'getLatestBlockhash' | 'sendRawTransaction' | 'getSignatureStatuses' | 'getBlockHeight'
  >,
  options: settleUsdcTransfer.Options,
): Promise<{ signature: string; slot: number }> {
  const { sponsor, expected, transaction, lastValidBlockHeight, onSigned, onSent, signal } = options
  const signed = await sponsorUsdcTransfer(sponsor, { transaction, expected })
  await onSigned?.(signed)
  const { signature } = await submitUsdcTransfer(connection, signed)
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
    expected: checkUsdcTransfer.Expected & { sponsor: string }
    lastValidBlockHeight?: number | undefined
    onSigned?: ((signed: { transaction: string }) => Promise<void> | void) | undefined
    onSent?: (() => void) | undefined
    pollMs?: number | undefined
    signal?: AbortSignal | undefined
  }
}
