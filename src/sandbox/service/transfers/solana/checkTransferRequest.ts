import { centsToAmount } from '../../../../redeemkit/core/amount/centsToAmount.ts'
import { usdcTransfer } from '../../../../redeemkit/solana/usdcTransfer/usdcTransfer.ts'
import type { TransferRequest } from '../transferChain.ts'
import type { TransferContext } from './transferContext.ts'

/**
 * Refuses a request that is wrong whatever the chain says: the transfer is built and thrown away.
 *
 * @throws what `usdcTransfer` throws
 */
export function checkTransferRequest(
  { environment, sponsor }: TransferContext,
  request: Omit<TransferRequest, 'sponsor'>,
): void {
  const { wallet, destination, cents, paymentId } = request
  usdcTransfer({
    environment,
    from: wallet,
    to: destination,
    amount: centsToAmount(cents),
    sponsor: sponsor.publicKey,
    paymentId,
    blockhash: '11111111111111111111111111111111',
    lastValidBlockHeight: 0,
  })
}
