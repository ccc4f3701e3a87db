import type { Connection } from '@solana/web3.js'
import {
  confirmUsdcTransfer,
  prepareUsdcTransfer,
  type SolanaSigner,
  signUsdcTransfer,
  sponsorUsdcTransfer,
  submitUsdcTransfer,
} from 'redeemkit/solana'

/** Pays 1.50 USDC. The customer needs no SOL: a sponsor pays the fee, and the rent of a new token account. */
export async function payOnSolana(options: {
  connection: Connection
  customer: SolanaSigner // a Keypair, a wallet adapter, or a Wallet Standard wallet
  sponsor: SolanaSigner // on your server
  addresses: { customer: string; sponsor: string; shop: string }
}) {
  const { connection, customer, sponsor, addresses } = options
  const expected = await prepareUsdcTransfer(connection, {
    environment: 'sandbox',
    from: addresses.customer,
    to: addresses.shop,
    sponsor: addresses.sponsor,
    amount: 1_500_000n, // raw units: 1 USDC is 1_000_000n
    paymentId: 'pay_1',
  })
  // Each side signs only after it verified that the bytes contain exactly this transfer.
  const signed = await signUsdcTransfer(customer, { transaction: expected.transaction, expected })
  const complete = await sponsorUsdcTransfer(sponsor, { ...signed, expected })
  const { signature } = await submitUsdcTransfer(connection, complete)
  return confirmUsdcTransfer(connection, { signature, lastValidBlockHeight: expected.lastValidBlockHeight })
}
