import { describe, expect, test } from 'vitest'
import { signAuthMessage, stellarAdapter, verifyAuthMessage } from '../index.ts'
import { Keypair, Transaction } from '../sdk.ts'
import { WebAuth } from '../stellar.fixture.ts'
import {
  base,
  challenge,
  domains,
  environment,
  forbidden,
  network,
  now,
  other,
  server,
  text,
  textless,
  wallet,
} from './authMessage.fixture.ts'

describe('SEP-53', () => {
  // Origin: SEP-53 "Sign and Verify Messages", version 1.0.0, section "Test cases", 1 and 2.
  const seed = 'SAKICEVQLYWGSOJS4WW7HZJWAHZVEEBS527LHK5V4MLJALYKICQCJXMW'
  const address = 'GBXFXNDLV4LSWA4VB7YIL5GBD7BVNR22SGBTDKMO2SBZZHDXSKZYCP7L'
  test.each([
    [
      'Hello, World!',
      'fO5dbYhXUhBMhe6kId/cuVq/AfEnHRHEvsP8vXh03M1uLpi5e46yO2Q8rEBzu3feXQewcQE5GArp88u6ePK6BA==',
    ],
    [
      'こんにちは、世界！',
      'CDU265Xs8y3OWbB/56H9jPgUss5G9A0qFuTqH2zs2YDgTm+++dIfmAEceFqB7bhfN3am59lCtDXrCtwH2k1GBA==',
    ],
  ])('published vector %s', async (message, signature) => {
    const key = Keypair.fromSecret(seed)
    const signed = await signAuthMessage(key, { ...base, message, allowPlainText: true })
    expect(signed).toEqual({ signedMessage: signature })
    expect(verifyAuthMessage({ environment, address, message, signedMessage: signature })).toBe(true)
    expect(
      verifyAuthMessage({ environment, address, message: `${message} `, signedMessage: signature }),
    ).toBe(false)
    expect(
      verifyAuthMessage({ environment, address: wallet.publicKey(), message, signedMessage: signature }),
    ).toBe(false)
  })
})

describe('the sign-in text', () => {
  const asked = { ...base, message: text() }
  test('is signed, and its expiry is returned', async () => {
    const { expiresAt } = await signAuthMessage(wallet, asked)
    expect(expiresAt).toBe(Date.parse('2026-11-21T17:59:00Z') / 1000)
  })
  test("is not signed by a wallet whose address differs from the caller's", async () => {
    await expect(signAuthMessage(wallet, { ...asked, address: other.publicKey() })).rejects.toMatchObject({
      name: 'WrongSignerError',
      field: 'address',
    })
  })
})

describe('a free text', () => {
  const message = 'Please sign in: 123'
  test('requires allowPlainText', async () => {
    await expect(signAuthMessage(forbidden, { ...base, message })).rejects.toMatchObject({ field: 'message' })
  })
  test('has no expiry', async () => {
    expect(await signAuthMessage(wallet, { ...base, message, allowPlainText: true })).not.toHaveProperty(
      'expiresAt',
    )
  })
  test.each([
    '',
    ' ',
    'x.example wants you to sign in with your Ethereum account:',
    'x.example wants  you to\nsign in with your Stellar account:',
  ])('must not be empty and must not claim to be a sign-in: %j', async (bad) => {
    await expect(
      signAuthMessage(forbidden, { ...base, message: bad, allowPlainText: true }),
    ).rejects.toMatchObject({ name: 'InvalidAuthMessageError' })
  })
})

describe('a challenge without a text, from a SEP-10 server', () => {
  const transaction = challenge()
  test('is signed by a key, and by a wallet that cannot sign text', async () => {
    const { signedMessage } = await signAuthMessage(textless, { ...base, transaction })
    expect(await signAuthMessage(wallet, { ...base, transaction })).toEqual({ signedMessage })
  })
  test('verifies only for its wallet', async () => {
    const { signedMessage } = await signAuthMessage(textless, { ...base, transaction })
    const answer = { ...base, serverKey: server.publicKey(), transaction, signedMessage } as const
    expect(verifyAuthMessage({ ...answer, address: wallet.publicKey() })).toBe(true)
    expect(verifyAuthMessage({ ...answer, address: other.publicKey() })).toBe(false)
  })
  test.each<[string, object, string]>([
    ['if the caller requests a text', { via: 'message' }, 'message'],
    ['if `via` is unknown', { via: 'Transaction' }, 'via'],
    ['missing', { transaction: undefined }, 'message'],
    [
      'signed by another server',
      { transaction: challenge(undefined, { signers: [other] }) },
      'transaction.signatures',
    ],
    ['of another host', { domains: ['other.example'] }, 'transaction.operations[0].name'],
  ])('%s is refused before any prompt', async (_, change, field) => {
    await expect(
      signAuthMessage(forbidden, { ...base, transaction, ...change } as never),
    ).rejects.toMatchObject({ field })
  })
})

describe('a challenge and a text', () => {
  const transaction = challenge()
  const asked = { ...base, message: text(), transaction }
  const failing = (error: unknown) => ({
    ...textless,
    signMessage: async () => {
      throw error
    },
  })
  const unsupported = failing({ code: -3, message: 'does not support the "signMessage" function' })
  test('the challenge is signed if the wallet does not support text', async () => {
    expect(await signAuthMessage(unsupported, asked)).toEqual(await signAuthMessage(textless, asked))
  })
  test('the challenge is not signed if the caller requests the text', async () => {
    await expect(signAuthMessage(unsupported, { ...asked, via: 'message' })).rejects.toMatchObject({
      name: 'WalletFailedError',
    })
  })
  test.each<[unknown, string]>([
    [{ code: -4, message: 'no' }, 'UserRejectedError'],
    [{ code: -1, message: 'failed' }, 'WalletFailedError'],
    [new Error('locked'), 'WalletFailedError'],
  ])('the challenge is not signed if the wallet fails for another reason (%j)', async (error, name) => {
    await expect(signAuthMessage(failing(error), asked)).rejects.toMatchObject({ name })
  })
  describe.each([undefined, server.publicKey()])('signed with %s as the server’s key', (serverKey) => {
    const sign = async () => {
      const { signedMessage } = await signAuthMessage(textless, { ...asked, serverKey })
      return { ...asked, serverKey: server.publicKey(), signedMessage } as const
    }
    test('verifies only for its wallet', async () => {
      const answer = await sign()
      expect(verifyAuthMessage({ ...answer, address: wallet.publicKey() })).toBe(true)
      expect(verifyAuthMessage({ ...answer, address: other.publicKey() })).toBe(false)
    })
    test('does not verify as the answer to another challenge', async () => {
      const another = challenge(undefined, { min: 1 })
      expect(
        verifyAuthMessage({ ...(await sign()), address: wallet.publicKey(), transaction: another }),
      ).toBe(false)
    })
    test('has the signatures of server and wallet', async () => {
      const { signedMessage } = await sign()
      expect(new Transaction(signedMessage, network.networkPassphrase).signatures).toHaveLength(2)
    })
  })
})

describe('the SDK', () => {
  test("builds a challenge that redeemkit signs, and verifies redeemkit's signature", async () => {
    const transaction = WebAuth.buildChallengeTx(
      server,
      wallet.publicKey(),
      'shop.example',
      600,
      network.networkPassphrase,
      'shop.example',
    )
    const current = {
      ...base,
      now: Date.now,
      message: text({
        issued: new Date().toISOString(),
        expires: new Date(Date.now() + 1000_000).toISOString(),
      }),
    }
    const { signedMessage } = await signAuthMessage(wallet, { ...current, transaction, via: 'transaction' })
    expect(
      WebAuth.verifyChallengeTxSigners(
        signedMessage,
        server.publicKey(),
        network.networkPassphrase,
        [wallet.publicKey()],
        'shop.example',
        'shop.example',
      ),
    ).toEqual([wallet.publicKey()])
  })
})

describe('stellarAdapter', () => {
  describe('the adapter', () => {
    const adapter = stellarAdapter({ signer: wallet, environment })
    const challenge = { message: text() }
    const sign = () => adapter.signAuthMessage(challenge, { domains, now })
    test('signs in and returns the expiry', async () => {
      expect((await sign()).expiresAt).toBe(Date.parse('2026-11-21T17:59:00Z') / 1000)
    })
    test('verifies its own signature', async () => {
      expect(await adapter.verifyAuthMessage(challenge, await sign())).toBe(true)
    })
    test('does not verify its signature for another text', async () => {
      expect(await adapter.verifyAuthMessage({ message: text({ nonce: 'another1' }) }, await sign())).toBe(
        false,
      )
    })
    test('returns the wallet’s address', async () => {
      expect(await adapter.getAddress()).toBe(wallet.publicKey())
    })
    test('does not sign credit permits', async () => {
      await expect(
        Reflect.apply(Reflect.get(adapter, 'signCreditPermit'), adapter, []),
      ).rejects.toMatchObject({
        name: 'UnsupportedBlockchainError',
      })
    })
  })
})
