import { verificationLinkOf } from 'redeemkit'
import type { MerchantClient } from 'redeemkit/merchant'

/** A user who withdraws: your own id, and the wallet that receives the money. */
export type Seller = { userId: string; wallet: string; blockchain: 'base' }

// #region business
/** Verifies a seller's business. Call it again when the seller returns from `link`. */
export async function verifyBusiness(
  merchant: MerchantClient,
  { seller, country, email, returnTo }: { seller: Seller; country: string; email: string; returnTo: string },
): Promise<{ state: string } | { link: string }> {
  const { key: sessionKey } = await merchant.getSessionKey({ userId: seller.userId })
  const body = { merchantId: merchant.merchantId, country, email, redirectLink: returnTo }
  try {
    const { withdrawer } = await merchant.registerBusiness({ ...seller, sessionKey, body })
    return { state: withdrawer.verification.status } // 'approved', or 'partial-approval'
  } catch (error) {
    const link = verificationLinkOf(error) // The URL from a 451 response.
    if (link === undefined) throw error
    return { link }
  }
}
// #endregion

// #region account
/** Saves a bank account if its holder is the person whose identity was verified. */
export async function saveAccount(
  merchant: MerchantClient,
  options: { seller: Seller; iban: string; firstName: string; lastName: string },
): Promise<{ token: string } | { differs: string[] }> {
  const { seller, iban, firstName, lastName } = options
  const { userId } = seller
  const kyc = await merchant.validateKyc({ userId, body: { firstName, lastName } })
  if (kyc === null) throw new Error(`${userId} has not been verified.`)
  if (!kyc.valid) return { differs: kyc.invalidFields } // such as ['lastName']
  const { key: sessionKey } = await merchant.getSessionKey({ userId })
  return { token: await merchant.createIban({ ...seller, sessionKey, body: { number: iban } }) }
}
// #endregion

// #region payOut
/** Pays USDC from the merchant's wallet at the service to a seller. */
export async function payOut(
  merchant: MerchantClient,
  { id, seller, cents }: { id: string; seller: Seller; cents: number }, // store the id before the first call
): Promise<string> {
  const { transaction } = await merchant.withdrawUsdc({
    body: { destination: seller.wallet, amount: { cents, currency: 'USD' }, idempotencyKey: id },
  })
  return transaction
}
// #endregion
