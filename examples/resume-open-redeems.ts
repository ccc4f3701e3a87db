import {
  type EvmClient,
  isOpenRedeemError,
  listOpenRedeems,
  type PaymentsClient,
  type PurchaseStorage,
  type RedeemPins,
  redeem,
  userMessage,
} from 'redeemkit'
import type { EvmSigner } from 'redeemkit/evm'

/** Resumes the payments that this wallet has signed and not finished. Call it when the page is opened. */
export async function resumeOpenRedeems(
  client: PaymentsClient,
  options: {
    wallet: `0x${string}`
    signer: EvmSigner
    publicClient: EvmClient
    pinned: RedeemPins
    storage: PurchaseStorage // the same options as for `redeem`
    show: (payment: { orderId?: string | undefined; text: string; canRetry: boolean }) => void
  },
) {
  const { show, ...own } = options
  const { wallet, pinned, storage } = own
  const { open, unreadable } = await listOpenRedeems(client, { wallet, pinned, storage })
  // In all other states, nothing was submitted, and redeem would open the wallet.
  for (const { options: purchase } of open.filter(({ state }) => state === 'signed')) {
    const orderId = purchase.purchaseId
    try {
      await redeem(client, { ...own, ...purchase })
      show({ orderId, text: 'Paid.', canRetry: false })
    } catch (error) {
      // The payment may still execute, so call redeem again later. Otherwise, the chain shows the final outcome.
      show({ orderId, text: userMessage(error), canRetry: isOpenRedeemError(error) })
    }
  }
  return unreadable // Records of a different version, which may belong to a submitted payment.
}
