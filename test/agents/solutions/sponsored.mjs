import { Connection } from '@solana/web3.js'
import { rpc, TransactionBuilder } from '@stellar/stellar-sdk'
import {
  confirmUsdcTransfer,
  prepareUsdcTransfer,
  signUsdcTransfer,
  sponsorUsdcTransfer,
  submitUsdcTransfer,
} from 'redeemkit/solana'
import { networkOf, signTransaction, usdcTransfer } from 'redeemkit/stellar'

const environment = 'sandbox'

export async function payOnSolana({ rpcUrl, customer, sponsor, shop, cents, paymentId }) {
  const connection = new Connection(rpcUrl, 'confirmed')
  const expected = await prepareUsdcTransfer(connection, {
    environment,
    from: customer.publicKey.toBase58(),
    to: shop,
    sponsor: sponsor.publicKey.toBase58(),
    amount: BigInt(cents) * 10_000n,
    paymentId,
  })
  const signed = await signUsdcTransfer(customer, { transaction: expected.transaction, expected })
  const complete = await sponsorUsdcTransfer(sponsor, { ...signed, expected })
  const { signature } = await submitUsdcTransfer(connection, complete)
  const { lastValidBlockHeight } = expected
  await confirmUsdcTransfer(connection, { signature, lastValidBlockHeight })
  return signature
}

export async function payOnStellar({ rpcUrl, customer, sponsor, shop, cents, paymentId }) {
  const client = new rpc.Server(rpcUrl, { allowHttp: true })
  const { transaction, expected } = await usdcTransfer(client, {
    environment,
    from: customer.publicKey(),
    to: shop,
    sponsor: sponsor.publicKey(),
    amount: BigInt(cents) * 100_000n,
    memo: paymentId,
  })
  const signed = await signTransaction(customer, { environment, transaction, expected })
  const complete = await signTransaction(sponsor, { environment, transaction: signed, expected })
  const { networkPassphrase } = networkOf(environment)
  const { hash } = await client.sendTransaction(TransactionBuilder.fromXDR(complete, networkPassphrase))
  const { status } = await client.pollTransaction(hash, { attempts: 60 })
  if (status !== 'SUCCESS') throw new Error(`The transaction ${hash} is ${status}.`)
  return hash
}
