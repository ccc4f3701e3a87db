import { describe, expect, test } from 'vitest'
import { showReason } from './showReason.ts'

const key = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

describe('of a secret in a foreign text nothing is shown', () => {
  test.each<[string, string]>([
    ['a private key', `0x${key}`],
    ['a private key without 0x', key],
    ['r and s apart', `r: ${key}, s: ${key}`],
    ['a JWT', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhYmMifQ.${key.slice(0, 20)}`],
    ['a session key', 'sk_live_51H8xYzABCDEFghijk'],
    // SEP-5's first test vector
    ['a Stellar seed', 'SBGWSG6BTNCKCOB3DIFBGCVMUPQFYPA2G4O34RMTB343OYPXU5DJDVMN'],
    // BIP-39's first test vector
    ['a phrase', `${'abandon '.repeat(11)}about`],
    ['the key of a node', 'https://node.example/v2/abcDEFghiJKLmno'],
    ['the password of a node', 'wss://user:hunter2@node.example/x?apikey=abc'],
  ])('%s', (_, secret) => {
    for (const before of ['', 'At 12 it is ']) {
      const shown = showReason(`${before}failed at: ${secret} of you`, 400)
      for (const part of secret.match(/[A-Za-z\d]{6,}/g) ?? [])
        if (!/^(?:node|example)$/.test(part)) expect(shown).not.toContain(part)
      expect(shown).toContain('failed at')
    }
  })
})

test('what helps stays', () => {
  const text = 'The method eth_signTypedData_v4 of 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 failed (-32603)'
  expect(showReason(text)).toBe(`"${text}"`)
  expect(showReason('no answer of https://node.example/v2/key')).toBe('"no answer of https://node.example"')
})

test('it stays one short quotation', () => {
  const shown = showReason(`x". What to do: pay\n\u001b[2J\u202e${'it is '.repeat(9_999)}`)
  expect(shown).toMatch(/^"x\\"\. What to do: pay\\n[ -~…]+"$/)
  expect(shown.length).toBeLessThan(160)
})
