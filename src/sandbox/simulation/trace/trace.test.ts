import { encodeAbiParameters, type Hex, pad, parseAbiParameters, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { CallFrame } from '../redeemReport.ts'
import { failureOf, targetCall } from './frames.ts'
import { tokenMoves } from './tokenMoves.ts'
import { usdcReceived } from './usdcMoves.ts'

const alice: Hex = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const bob: Hex = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const token: Hex = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

function frame(parts: Partial<CallFrame> = {}): CallFrame {
  return {
    type: 'CALL',
    from: alice,
    to: token,
    value: 0n,
    input: '0x',
    output: '0x',
    gas: 100_000n,
    gasUsed: 50_000n,
    text: undefined,
    failure: undefined,
    logs: [],
    calls: [],
    ...parts,
  }
}

const log = (topics: readonly Hex[], data: Hex = '0x') => ({ address: token, topics, data, text: undefined })
const failed = (output: Hex, calls: CallFrame[] = []) => frame({ failure: 'it reverted', output, calls })

/** A view call that failed without revert data. */
const asked: CallFrame = { ...failed('0x'), type: 'STATICCALL' }

describe('failureOf', () => {
  test.each([
    ['a failure forwarded unchanged', failed('0x11223344', [frame(), failed('0x11223344')]), [1]],
    ['a failure inside another error', failed('0xaabbccdd11223344', [failed('0x11223344')]), [0]],
    ['a failure with empty revert data', failed('0xaabbccdd', [failed('0x')]), [0]],
    ['a query with empty revert data', failed('0x', [asked]), [0]],
    ['a query whose failure the caller replaced with its own error', failed('0xaabbccdd', [asked]), []],
    ['a caught failure before another reason', failed('0xaabbccdd', [failed('0x11223344')]), []],
    ['a caught failure before another call', failed('0x', [failed('0x'), frame()]), []],
  ])('finds the origin of %s', (_, root, at) => {
    expect(failureOf(root)?.at).toEqual(at)
  })

  test('returns undefined for a call that succeeded', () => {
    expect(failureOf(frame({ calls: [failed('0x')] }))).toBeUndefined()
  })
})

describe('targetCall', () => {
  const call = frame({ from: token, to: bob, input: '0x11223344' })
  const options = { creditsContract: token, settlement: { target: bob, data: '0x11223344' } } as const
  const around = (inner: CallFrame) => frame({ from: token, to: token, input: '0x12175c7b', calls: [inner] })

  test('is inside a call of the credits contract to itself if it holds older tokens', () => {
    expect(targetCall(frame({ calls: [frame(), around(call)] }), options)).toEqual({
      frame: call,
      place: 1,
      depth: 2,
    })
  })

  test('is the one that took effect, if the credits contract repeats it', () => {
    const undone = { ...around(frame({ ...call, gas: 1n })), failure: 'it reverted' }
    expect(targetCall(frame({ calls: [undone, call] }), options)).toEqual({ frame: call, place: 1, depth: 1 })
    expect(targetCall(frame({ calls: [undone] }), options)).toBeUndefined()
  })
})

describe('token transfers', () => {
  const usdcLog = log([transfer, pad(alice), pad(bob)], pad(toHex(5n)))

  test('ignores transfers inside a reverted call', () => {
    const inner = frame({ calls: [frame({ logs: [usdcLog] })] })
    expect(usdcReceived(frame({ calls: [inner] }), token)).toEqual([{ account: bob, amount: 5n }])
    expect(usdcReceived(frame({ calls: [{ ...inner, failure: 'it reverted' }] }), token)).toEqual([])
  })

  test('does not count USDC that only passed through an account', () => {
    const back = log([transfer, pad(bob), pad(alice)], pad(toHex(5n)))
    expect(usdcReceived(frame({ logs: [usdcLog, back] }), token)).toEqual([])
  })

  test('reads an ERC-1155 batch', () => {
    const data = encodeAbiParameters(parseAbiParameters('uint256[], uint256[]'), [
      [7n, 8n, 9n],
      [1n, 0n, 3n],
    ])
    const batch = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'
    const logs = [log([batch, pad(alice), pad(alice), pad(bob)], data)]
    expect(tokenMoves(frame({ logs }))).toMatchObject([
      { standard: 'ERC-1155', id: 7n, amount: 1n, to: bob },
      { id: 9n, amount: 3n },
    ])
  })

  test.each([
    ['a list beyond the data', pad(toHex(2n ** 200n))],
    ['nothing', '0x' as Hex],
    ['bytes that are not whole words', '0x1234' as Hex],
  ])('ignores a batch with %s', (_, data) => {
    const batch = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'
    expect(tokenMoves(frame({ logs: [log([batch, pad(alice), pad(alice), pad(bob)], data)] }))).toEqual([])
  })
})
