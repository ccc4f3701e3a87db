import { Clock } from 'litesvm'
import { keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { tokenAccountOf } from '../../../../redeemkit/solana/address.ts'
import { parseBase58 } from '../../../../redeemkit/solana/encoding.ts'
import { programs } from '../../../../redeemkit/solana/instruction/programs.ts'
import { recordedAssertions } from '../../../../redeemkit/solana/instruction/recordedAssertions.fixture.ts'
import type { Target } from './assertionFields.ts'
import { evaluateAssertions } from './evaluateAssertions.ts'

/* Instruction data as npm's lighthouse-sdk 2.1.0 encodes it. */

const mint = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'
const owner = 'Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH'
const bytesOf = (key: string) => parseBase58(key, { field: 'key', length: 32 })

/** A token account with 25 tokens. */
function tokenAccount(change: Partial<Target> = {}): Target {
  const data = new Uint8Array(165)
  data.set(bytesOf(mint), 0)
  data.set(bytesOf(owner), 32)
  new DataView(data.buffer).setBigUint64(64, 25_000_000n, true)
  data[108] = 1
  return {
    address: tokenAccountOf({ owner, mint }),
    lamports: 2_039_280n,
    owner: programs.token,
    data,
    executable: false,
    isSigner: false,
    isWritable: true,
    ...change,
  }
}

function mintAccount(): Target {
  const data = new Uint8Array(82)
  data[36] = 1
  data[44] = 6
  data[45] = 1
  return { ...tokenAccount(), address: mint, data }
}

const clock = new Clock(101n, 0n, 0n, 0n, -4n)
const evaluate = (hex: string, target: Target | undefined = tokenAccount()) =>
  evaluateAssertions({ data: Buffer.from(hex, 'hex'), targets: [target], clock }).result

const hold = {
  'amount >= 25': '09040240787d010000000004',
  'amount == 25, no delegate, its address is derived': '0a00030240787d01000000000003000008',
  'mint == …, owner != another':
    '0a0002003b442cb3912157f13a933d0134282d032b5ffecd01a2dbf1b7790608df002ea700013b442cb3912157f13a933d0134282d032b5ffecd01a2dbf1b7790608df002ea701',
  'initialized, not native, nothing delegated, no close authority':
    '0a000404010005000006000000000000000005070000',
  'lamports > 1, owned by Token': '06000200010000000000000002030100',
  'length, no signer, written, no program, rent epoch':
    '06000501a5000000000000000005000006010007010104ffffffffffffffff00',
  'three bytes of data': '02006c0b0301000000',
  'slot > 100': '0f0000640000000000000002',
  'time > -5': '0f0004fbffffffffffffff02',
}
for (const [what, hex] of Object.entries(hold)) test(`holds: ${what}`, () => expect(evaluate(hex)).toBe(0n))

test('tells by the error which of several does not hold', () => {
  const [amount, another] = [hold['amount == 25, no delegate, its address is derived'], tokenAccount()]
  another.data[64] = 1
  expect(evaluate(amount, another)).toBe(0x1900n)
  expect(evaluate(amount, tokenAccount({ address: owner }))).toBe(0x1902n)
})

test('tells an assertion that does not hold from what cannot be evaluated', () => {
  const belowAmount = '0200400740787d010000000003'
  expect(evaluate(belowAmount)).toBe(6001n)
  expect(evaluate(belowAmount, tokenAccount({ data: new Uint8Array() }))).toBe(6011n)
  expect(
    evaluate('030002ac0202ff00000c3b442cb3912157f13a933d0134282d032b5ffecd01a2dbf1b7790608df002ea700'),
  ).toBe(6005n)
  expect(evaluate(hold['amount >= 25'], tokenAccount({ owner: programs.system }))).toBe(6009n)
  expect(evaluate(hold['amount >= 25'].slice(0, 12))).toBe(6000n)
  expect(
    evaluateAssertions({ data: Buffer.from(hold['amount >= 25'], 'hex'), targets: [], clock }).result,
  ).toBe(11n << 32n)
})

// What Phantom adds to transactions of tokens. Stakes, trees and loaders are not on the local chain.
const ofTokens = recordedAssertions.filter(([, , , name]) => /Info|Token|Clock/.test(name))
test.each(ofTokens)('takes a guard that is on mainnet: %s', (_what, hex, accounts) => {
  const { result } = evaluateAssertions({
    data: Buffer.from(hex, 'hex'),
    targets: Array<Target>(accounts).fill(tokenAccount()),
    clock,
  })
  // It holds here, or the program says that it does not: 6001, or 0x1900 and the place in a list.
  expect([0n, 6001n, 0x19n]).toContain(result < 0x1900n ? result : result >> 8n)
})

test('refuses to write to the program’s memory or to close it', () => {
  expect(evaluate('0100ff')).toBe(6000n)
  expect(evaluate('0000ff0000')).toBe(6000n)
})

test('compares the bits of a mint’s fields', () => {
  const bits = '08000502020602090700000003010001000000000000000001'
  expect(evaluate(bits, mintAccount())).toBe(0n)
  const odd = mintAccount()
  odd.data[44] = 7
  expect(evaluate(bits, odd)).toBe(0x1901n)
})

test('hashes a piece of the data', () => {
  const hash = keccak256(tokenAccount().data).slice(2)
  const data = (wanted: string) => `06000108${wanted}00a501`
  expect(evaluate(data(hash))).toBe(0n)
  expect(evaluate(data('07'.repeat(32)))).toBe(0x1900n)
})

test('refuses an order of what is not a number', () => {
  // `owner > …`: operator 2 of two.
  expect(evaluate('0a0001013b442cb3912157f13a933d0134282d032b5ffecd01a2dbf1b7790608df002ea702')).toBe(6000n)
})
