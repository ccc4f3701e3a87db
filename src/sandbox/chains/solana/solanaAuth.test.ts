import { ed25519 } from '@noble/curves/ed25519.js'
import { Transaction } from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import { formatBase58, parseBase58 } from '../../../redeemkit/solana/encoding.ts'
import { solanaAdapter } from '../../../redeemkit/solana/solanaAdapter.ts'
import { solanaAuth } from './solanaAuth.ts'

const seed = new Uint8Array(32).fill(1)
const publicKey = ed25519.getPublicKey(seed)
const wallet = formatBase58(publicKey)
const signer = { publicKey: wallet, secretKey: Uint8Array.from([...seed, ...publicKey]) }
const issuedAt = new Date('2026-11-20T12:00:00.000Z')
const expiresAt = new Date('2026-11-21T12:00:00.000Z')
const auth = solanaAuth({ environment: 'sandbox' })
const facts = {
  blockchain: 'solana',
  wallet,
  domain: '127.0.0.1:4000',
  uri: 'http://127.0.0.1:4000',
  nonce: '0123456789abcdef0123456789abcdef',
  issuedAt,
  expiresAt,
} as const
const expectation = { domains: ['127.0.0.1:4000'], now: () => issuedAt.getTime() }

describe('solanaAuth', () => {
  test('verifies both challenges, the message and the transaction, as signed by the client', async () => {
    const challenge = await auth.createChallenge(facts)
    for (const use of ['message', 'transaction'] as const) {
      const adapter = solanaAdapter({ signer, environment: 'sandbox', use })
      const { signedMessage, expiresAt: end } = await adapter.signAuthMessage(challenge, expectation)
      expect(end).toBe(expiresAt.getTime() / 1000)
      const signed = {
        blockchain: 'solana',
        wallet,
        message: challenge.message,
        transaction: challenge.transaction,
        signedMessage,
        now: issuedAt,
      } as const
      expect(await auth.verify(signed)).toBe(true)
      expect(await auth.verify({ ...signed, now: new Date(expiresAt.getTime() - 1) })).toBe(true)
      expect(await auth.verify({ ...signed, now: expiresAt })).toBe(false)
      expect(
        await auth.verify({
          ...signed,
          wallet: formatBase58(ed25519.getPublicKey(new Uint8Array(32).fill(2))),
        }),
      ).toBe(false)
      expect(await auth.verify({ ...signed, signedMessage: signedMessage.slice(0, -5) })).toBe(false)
      expect(await auth.verify({ ...signed, signedMessage: '' })).toBe(false)
      expect(await auth.verify({ ...signed, message: signed.message.replace('127', '128') })).toBe(false)
      expect(await solanaAuth({ environment: 'prod' }).verify(signed)).toBe(false)
    }
  })

  test('issues a legacy transaction that hardware wallets can sign but no block can include', async () => {
    const { message, transaction = '' } = await auth.createChallenge(facts)
    const read = Transaction.from(parseBase58(transaction, { field: 'transaction' }))
    expect(read.recentBlockhash).toBe('11111111111111111111111111111111')
    expect(read.feePayer?.toBase58()).toBe(wallet)
    expect(read.instructions.map(({ data }) => data.toString())).toEqual([message])
  })

  test('rejects addresses that cannot sign in', () => {
    expect(auth.parseWallet(wallet)).toBe(wallet)
    for (const text of [
      '',
      '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
      'Gs6NxmndAL3PULGZeYUHCknpMdDVbL46eFCBh856p5z6',
    ])
      expect(() => auth.parseWallet(text)).toThrow(
        expect.objectContaining({ name: 'InvalidAddressError', field: 'wallet' }),
      )
  })
})
