import assert from 'node:assert/strict'
import { Keypair as SolanaKeypair } from '@solana/web3.js'
import { Keypair as StellarKeypair } from '@stellar/stellar-sdk'

export const blockchains = ['base', 'solana', 'stellar']

export async function check({ sandbox, load }) {
  const { signIn, isSignedIn } = await load()
  const { url: baseUrl, merchantId, accounts } = sandbox
  const [onSolana, onStellar] = [SolanaKeypair.generate(), StellarKeypair.random()]
  const customers = [
    ['base', accounts.alice.account, accounts.alice.address, accounts.bob.address],
    ['solana', onSolana, onSolana.publicKey.toBase58(), SolanaKeypair.generate().publicKey.toBase58()],
    ['stellar', onStellar, onStellar.publicKey(), StellarKeypair.random().publicKey()],
  ]
  for (const [blockchain, wallet, address, stranger] of customers) {
    const service = { baseUrl, merchantId, blockchain }
    const signedIn = await signIn({ ...service, wallet })
    assert.equal(signedIn.address, address)
    const { signedMessage } = signedIn
    assert.equal(await isSignedIn({ ...service, address, signedMessage }), true, blockchain)
    assert.equal(await isSignedIn({ ...service, address: stranger, signedMessage }), false, blockchain)
  }
  const { address, signedMessage } = await signIn({
    baseUrl,
    merchantId,
    blockchain: 'base',
    wallet: accounts.carol.account,
  })
  const nowhere = { baseUrl: 'http://127.0.0.1:9', merchantId, blockchain: 'base', address, signedMessage }
  await assert.rejects(async () => isSignedIn(nowhere), 'a missing response is not a denial')
}
