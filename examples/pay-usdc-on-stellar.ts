import { type rpc, TransactionBuilder } from '@stellar/stellar-sdk'
import { type StellarSigner, signTransaction, usdcTransfer } from 'redeemkit/stellar'

/** Pays 1.50 USDC. The customer needs no XLM for the fee: a sponsor is the source of the transaction. */
export async function payOnStellar(options: {
  client: rpc.Server
  customer: StellarSigner // a SEP-43 wallet such as Freighter, or a Keypair
  sponsor: StellarSigner // on your server
  addresses: { customer: string; sponsor: string; shop: string }
}) {
  const { client, addresses } = options
  const environment = 'sandbox'
  // Checks both trustlines first.
  const { transaction, expected } = await usdcTransfer(client, {
    environment,
    from: addresses.customer,
    to: addresses.shop,
    sponsor: addresses.sponsor,
    amount: 15_000_000n, // raw units: 1 USDC is 10_000_000n on Stellar
    memo: 'pay_1',
  })
  // Each side signs only after it verified that the XDR contains exactly this payment.
  const signed = await signTransaction(options.customer, { environment, transaction, expected })
  const complete = await signTransaction(options.sponsor, { environment, transaction: signed, expected })
  const { passphrase } = await client.getNetwork()
  const { hash } = await client.sendTransaction(TransactionBuilder.fromXDR(complete, passphrase))
  // Sending the same transaction again is safe. It can be included until its time bound.
  const { status } = await client.pollTransaction(hash)
  return { hash, status } // paid: SUCCESS
}
