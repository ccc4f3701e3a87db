import { getAddress, type Hex } from 'viem'
import { sameHex } from '../../../redeemkit/evm/values.ts'
import type { CallFrame } from '../redeemReport.ts'

/** `at`: indexes from the root. */
export type PlacedFrame = {
  frame: CallFrame
  at: readonly number[]
  parent: CallFrame | undefined
  /** Whether the call took effect: neither it nor any call around it was reverted. */
  persists: boolean
}

export function* walkFrames(root: CallFrame): Generator<PlacedFrame> {
  // Iterative, because a merchant's contract can nest calls a thousand deep.
  const stack: PlacedFrame[] = [
    { frame: root, at: [], parent: undefined, persists: root.failure === undefined },
  ]
  for (let placed = stack.pop(); placed !== undefined; placed = stack.pop()) {
    yield placed
    const { frame, at, persists } = placed
    for (let place = frame.calls.length - 1; place >= 0; place--) {
      const call = frame.calls[place]
      if (call === undefined) continue
      stack.push({
        frame: call,
        at: [...at, place],
        parent: frame,
        persists: persists && call.failure === undefined,
      })
    }
  }
}

/** The events that took effect, in order. */
export const logsOf = (root: CallFrame): CallFrame['logs'] =>
  [...walkFrames(root)].flatMap(({ frame, persists }) => (persists ? frame.logs : []))

/** The calls from the root to the call at these indexes, both included. */
export function pathTo(root: CallFrame, at: readonly number[]): CallFrame[] {
  const path = [root]
  for (const place of at) path.push(...(path.at(-1)?.calls.slice(place, place + 1) ?? []))
  return path
}

/**
 * If the credits contract already holds tokens, it makes the call of a `returned` redeem inside a call to itself. `place` is then the
 * index of the outer call, and `depth` is 2.
 */
export function targetCall(
  root: CallFrame,
  options: { creditsContract: Hex; settlement: { target: Hex; data: Hex } },
): { frame: CallFrame; place: number; depth: 1 | 2 } | undefined {
  const { creditsContract, settlement } = options
  const { target, data } = settlement
  const isTarget = ({ type, from, to, input }: CallFrame) =>
    type === 'CALL' &&
    sameHex(from, creditsContract) &&
    sameHex(to, target) &&
    // Compares the beginning, because the input in a report may be truncated.
    data.toLowerCase().startsWith(input.toLowerCase())
  const direct = root.calls.findIndex(isTarget)
  const place =
    direct >= 0
      ? direct
      : root.calls.findIndex(
          ({ from, to, input, failure }) =>
            sameHex(from, to) && input.startsWith(callReturned) && failure === undefined,
        )
  const call = root.calls[place]
  const frame = direct >= 0 ? call : call?.calls.find(isTarget)
  return frame && { frame, place, depth: direct >= 0 ? 1 : 2 }
}

/** Selector of `callReturned(address,bytes,uint256)`. */
const callReturned = '0x12175c7b'

/** Whether a call makes a view call to an account. Other code at that address would change the result. */
export const isRead = (call: CallFrame, account: Hex) =>
  [...walkFrames(call)].some(({ frame: { type, to } }) => type === 'STATICCALL' && sameHex(to, account))

export type Failure = { frame: CallFrame; at: readonly number[] }

/**
 * Finds the call where a failure began. While the last inner call also failed, moves to that call if its caller passed on the revert
 * data, alone or inside another error.
 */
export function failureOf(root: CallFrame, isSame = isPassedOn): Failure | undefined {
  if (root.failure === undefined) return undefined
  let frame = root
  const at: number[] = []
  for (;;) {
    const place = frame.calls.length - 1
    const last = frame.calls[place]
    if (last?.failure === undefined || !isSame(frame, last)) return { frame, at }
    at.push(place)
    frame = last
  }
}

/** Also follows a failure whose revert data a contract or its library replaced with its own error. */
export const causeOf = (root: CallFrame): Failure | undefined => failureOf(root, () => true)

export function isPassedOn(frame: CallFrame, inner: CallFrame): boolean {
  // If a query failed without revert data, the error of its caller says more.
  if (inner.output === '0x') return inner.type !== 'STATICCALL' || frame.output === '0x'
  // The credits contract truncates long revert data.
  const beginning = inner.output.slice(2, 2 + 2 * 256).toLowerCase()
  return frame.output.toLowerCase().includes(beginning)
}

export const outOfGas = 'it ran out of gas'
/** The revert reason, if there is one, replaces this text. */
export const reverted = 'it reverted'
export const noCoin = 'it sent more native coin than it has'

export const receiverHooks: readonly string[] = [
  '0x150b7a02', // onERC721Received(address,address,uint256,bytes)
  '0xf23a6e61', // onERC1155Received(address,address,uint256,uint256,bytes)
  '0xbc197c81', // onERC1155BatchReceived(address,address,uint256[],uint256[],bytes)
]

/** Returns the words of call data after the selector, in hex digits. */
export const wordsOf = (input: Hex): readonly string[] => input.slice(10).match(/.{64}/g) ?? []

/** @param word in hex digits, with or without 0x */
export function addressIn(word: string): Hex {
  return getAddress(`0x${word.slice(-40).padStart(40, '0').toLowerCase()}`)
}
