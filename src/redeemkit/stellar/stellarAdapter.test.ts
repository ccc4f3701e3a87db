import { describe, expect, test } from 'vitest'
import { domains, environment, now, text, wallet } from './authMessage/authMessage.fixture.ts'
import { stellarAdapter } from './index.ts'

describe('the adapter', () => {
  const adapter = stellarAdapter({ signer: wallet, environment })
  const challenge = { message: text() }
  const sign = () => adapter.signAuthMessage(challenge, { domains, now })
  test('signs in, with the expiry', async () => {
    expect((await sign()).expiresAt).toBe(Date.parse('2026-11-21T17:59:00Z') / 1000)
  })
  test('verifies its own signature', async () => {
    expect(await adapter.verifyAuthMessage(challenge, await sign())).toBe(true)
  })
  test('does not verify it for another text', async () => {
    expect(await adapter.verifyAuthMessage({ message: text({ nonce: 'another1' }) }, await sign())).toBe(
      false,
    )
  })
  test('has the wallet’s address', async () => {
    expect(await adapter.getAddress()).toBe(wallet.publicKey())
  })
  test('has no credit permits', async () => {
    await expect(Reflect.apply(Reflect.get(adapter, 'signCreditPermit'), adapter, [])).rejects.toMatchObject({
      name: 'UnsupportedBlockchainError',
    })
  })
})
