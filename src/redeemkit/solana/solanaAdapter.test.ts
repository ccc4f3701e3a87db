import { describe, expect, test } from 'vitest'
import type { ChainAdapter } from '../core/chainAdapter.ts'
import { address, harmless, message, now, wallet } from './authMessage/authMessage.fixture.ts'
import { solanaAdapter } from './solanaAdapter.ts'

describe('solanaAdapter', () => {
  const adapter: ChainAdapter = solanaAdapter({ signer: wallet, environment: 'sandbox' })
  const challenge = { message, transaction: harmless }
  const expected = { domains: ['pay.example'], now }

  test("is core's adapter, for Solana", () => {
    expect(adapter).toMatchObject({ family: 'solana', blockchain: 'solana' })
  })

  test("has the wallet's address", async () => {
    expect(await adapter.getAddress()).toBe(address)
  })

  test('verifies its own signature', async () => {
    const signed = await adapter.signAuthMessage(challenge, expected)
    expect(await adapter.verifyAuthMessage(challenge, signed)).toBe(true)
  })

  test('does not verify it for another message', async () => {
    const signed = await adapter.signAuthMessage(challenge, expected)
    expect(await adapter.verifyAuthMessage({ message: 'another' }, signed)).toBe(false)
  })

  test('signs and verifies a transaction if requested', async () => {
    const hardware = solanaAdapter({ signer: wallet, environment: 'sandbox', use: 'transaction' })
    const signed = await hardware.signAuthMessage(challenge, expected)
    expect(signed.signedMessage.length).toBeGreaterThan(500)
    expect(await hardware.verifyAuthMessage(challenge, signed)).toBe(true)
  })

  test('rejects another network', () => {
    expect(() => solanaAdapter({ signer: wallet, environment: 'devnet' as never })).toThrow(
      expect.objectContaining({ name: 'UnknownNetworkError' }),
    )
  })

  test.each([undefined, null, 'x'])('%s is no options', (options) => {
    expect(() => solanaAdapter(options as never)).toThrow(
      expect.objectContaining({ name: 'InvalidOptionError', field: 'options' }),
    )
  })
})
