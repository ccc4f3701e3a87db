import { expect, test } from 'vitest'
import { evmAuthVerifier } from './authVerifiers.ts'

test('refuses an empty signature, even if the account approved the message on chain', async () => {
  // an account that accepts every signature
  const chain = { chainId: 8453, client: { verifyMessage: async () => true } }
  const verifier = evmAuthVerifier(new Map([['base', chain as never]]))
  const wallet = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
  const { message } = await verifier.createChallenge({
    blockchain: 'base',
    wallet,
    domain: 'shop.example',
    uri: 'https://shop.example',
    nonce: '12345678',
    issuedAt: new Date(0),
    expiresAt: new Date(60_000),
  })
  const verify = (signedMessage: string) =>
    verifier.verify({
      blockchain: 'base',
      wallet,
      message,
      transaction: undefined,
      signedMessage,
      now: new Date(1),
    })
  expect(await verify('0x')).toBe(false)
  expect(await verify('0x01')).toBe(true)
})

test('refuses a host that no sign-in message can name, as a wrong request', async () => {
  const chain = { chainId: 8453, client: {} }
  const { createChallenge } = evmAuthVerifier(new Map([['base', chain as never]]))
  const challenge = createChallenge({
    blockchain: 'base',
    wallet: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
    domain: '_shop.localhost:3000',
    uri: 'http://_shop.localhost:3000',
    nonce: '12345678',
    issuedAt: new Date(0),
    expiresAt: new Date(60_000),
  })
  await expect(challenge).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    issues: ['host'],
    shortMessage: expect.stringContaining('"_shop.localhost:3000"'),
  })
})
