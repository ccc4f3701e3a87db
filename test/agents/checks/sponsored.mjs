import assert from 'node:assert/strict'
import { Connection, Keypair as SolanaKeypair } from '@solana/web3.js'
import { rpc, Keypair as StellarKeypair } from '@stellar/stellar-sdk'

export const blockchains = ['base', 'solana', 'stellar']

export async function check({ sandbox, load }) {
  const { payOnSolana, payOnStellar } = await load()
  const { solana, stellar } = sandbox
  {
    const [customer, sponsor, shop] = Array.from({ length: 3 }, () => SolanaKeypair.generate())
    const address = customer.publicKey.toBase58()
    const receiver = shop.publicKey.toBase58()
    solana.fundUsdc(address, 20_000_000n)
    solana.fundSol(sponsor.publicKey.toBase58(), 1_000_000_000n)
    const { rpcUrl } = solana
    const options = { rpcUrl, customer, sponsor, shop: receiver, cents: 450, paymentId: 'pay_1' }
    const signature = await payOnSolana(options)
    assert.equal(solana.usdcOf(receiver), 4_500_000n)
    assert.equal(solana.usdcOf(address), 15_500_000n)
    assert.equal(solana.solOf(address), 0n)
    const found = await new Connection(rpcUrl, 'confirmed').getTransaction(signature, {
      maxSupportedTransactionVersion: 0,
    })
    assert.equal(found?.meta?.err, null)
    assert.match(found.meta.logMessages.join('\n'), /pay_1/)
    const unpaid = { ...options, cents: 100_000, paymentId: 'pay_2' }
    await assert.rejects(async () => payOnSolana(unpaid), 'more than the customer has')
  }
  {
    const [customer, sponsor, shop] = Array.from({ length: 3 }, () => StellarKeypair.random())
    const receiver = shop.publicKey()
    stellar.fund({ address: customer.publicKey(), xlm: 0n, usdc: 200_000_000n, sponsored: true })
    stellar.fund({ address: sponsor.publicKey(), xlm: 1_000_000_000n })
    stellar.fund({ address: receiver, xlm: 0n, usdc: 0n, sponsored: true })
    const { rpcUrl } = stellar
    const options = { rpcUrl, customer, sponsor, shop: receiver, cents: 450, paymentId: 'pay_1' }
    const hash = await payOnStellar(options)
    assert.equal(stellar.balanceOf(receiver).usdc, 45_000_000n)
    assert.deepEqual(stellar.balanceOf(customer.publicKey()), { xlm: 0n, usdc: 155_000_000n })
    const found = await new rpc.Server(rpcUrl, { allowHttp: true }).getTransaction(hash)
    assert.equal(found.status, 'SUCCESS')
    const memo = found.envelopeXdr.v1().tx().memo()
    assert.equal(String(memo.value()), 'pay_1')
    const unpaid = { ...options, cents: 100_000, paymentId: 'pay_2' }
    await assert.rejects(async () => payOnStellar(unpaid), 'more than the customer has')
  }
}
