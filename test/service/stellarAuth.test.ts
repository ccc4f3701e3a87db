import { Keypair, Transaction, WebAuth } from '@stellar/stellar-sdk'
import { describe, expect, test } from 'vitest'
import { networkOf, stellarAdapter } from '../../src/redeemkit/stellar/index.ts'
import { stellarAuth } from '../../src/sandbox/chains/stellar/stellarAuth.ts'

const wallet = Keypair.random()
const other = Keypair.random()
const auth = stellarAuth({ environment: 'sandbox' })
const issuedAt = new Date()
const facts = {
  blockchain: 'stellar',
  wallet: wallet.publicKey(),
  domain: 'localhost:8787',
  uri: 'http://localhost:8787',
  nonce: '0123456789abcdef0123456789abcdef',
  issuedAt,
  expiresAt: new Date(issuedAt.getTime() + 24 * 3_600_000),
} as const
const domains = [facts.domain]
const { networkPassphrase } = networkOf('sandbox')

async function signIn(via: 'message' | 'transaction') {
  const challenge = await auth.createChallenge(facts)
  const adapter = stellarAdapter({ signer: wallet, environment: 'sandbox', serverKey: auth.serverKey, via })
  const { signedMessage } = await adapter.signAuthMessage(challenge, { domains })
  const signed = {
    blockchain: 'stellar',
    wallet: wallet.publicKey(),
    message: challenge.message,
    transaction: challenge.transaction,
    signedMessage,
    now: issuedAt,
  } as const
  return { challenge, adapter, signed }
}

describe.each(['message', 'transaction'] as const)('sign-in on Stellar by %s', (via) => {
  test("the client signs the service's message, and each side verifies the signature independently", async () => {
    const { challenge, adapter, signed } = await signIn(via)
    expect(await auth.verify(signed)).toBe(true)
    expect(await adapter.verifyAuthMessage(challenge, signed)).toBe(true)
  })
  test('the service accepts no other response', async () => {
    const { signed } = await signIn(via)
    const { message, transaction } = await auth.createChallenge({ ...facts, nonce: 'ffffffff' })
    const changed = Buffer.from(signed.signedMessage, 'base64')
    changed[changed.length - 3] = (changed[changed.length - 3] ?? 0) ^ 1
    for (const change of [
      { wallet: other.publicKey() },
      via === 'message' ? { message } : { transaction },
      { signedMessage: changed.toString('base64') },
      { signedMessage: `${signed.signedMessage} ` },
      { signedMessage: signed.signedMessage.slice(0, -4) },
      { signedMessage: '' },
      { signedMessage: 'garbage' },
      { now: facts.expiresAt },
    ])
      expect(await auth.verify({ ...signed, ...change }), JSON.stringify(change)).toBe(false)
    expect(await auth.verify({ ...signed, now: new Date(facts.expiresAt.getTime() - 1) })).toBe(true)
  })
})

test('a transaction without a challenge, or unsigned by the wallet, is refused', async () => {
  const { signed } = await signIn('transaction')
  expect(await auth.verify({ ...signed, transaction: undefined })).toBe(false)
  expect(await auth.verify({ ...signed, signedMessage: signed.transaction ?? '' })).toBe(false)
})
test('the challenge’s signature on another transaction is refused', async () => {
  const { signed } = await signIn('transaction')
  const { transaction: second = '' } = await auth.createChallenge(facts)
  const carrier = new Transaction(second, networkPassphrase)
  for (const signature of new Transaction(signed.signedMessage, networkPassphrase).signatures)
    carrier.addDecoratedSignature(signature)
  expect(await auth.verify({ ...signed, signedMessage: carrier.toXDR() })).toBe(false)
})
test('the challenge follows SEP-10: the SDK reads it, and it can never be included', async () => {
  const { transaction = '' } = await auth.createChallenge(facts)
  const read = WebAuth.readChallengeTx(
    transaction,
    auth.serverKey,
    networkPassphrase,
    facts.domain,
    facts.domain,
  )
  expect(read).toMatchObject({ clientAccountID: wallet.publicKey(), matchedHomeDomain: facts.domain })
  expect(new Transaction(transaction, networkPassphrase).sequence).toBe('0')
})
test('a domain that is too long for a data entry gets only the text', async () => {
  const challenge = await auth.createChallenge({ ...facts, domain: `${'a'.repeat(60)}.example` })
  expect(challenge).not.toHaveProperty('transaction')
})
test('a wallet is an account’s address', () => {
  expect(auth.parseWallet(wallet.publicKey())).toBe(wallet.publicKey())
  for (const text of ['', 'GABC', wallet.secret(), '0x0000000000000000000000000000000000000001'])
    expect(() => auth.parseWallet(text)).toThrow(expect.objectContaining({ name: 'InvalidAddressError' }))
})
