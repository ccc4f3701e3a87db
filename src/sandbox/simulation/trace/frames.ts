import { getAddress, type Hex } from 'viem'
import type { CallFrame } from '../redeemReport.ts'

/** A call with its place: places of calls from the root. */
export type PlacedFrame = {
  frame: CallFrame
  at: readonly number[]
  parent: CallFrame | undefined
  /** Whether it and every call around it went through, up to where the walk began. */
  lasts: boolean
}

/** Every call of a tree in the order of execution, the root first. */
export function* walkFrames(root: CallFrame): Generator<PlacedFrame> {
  // A stack of its own: a merchant can nest calls a thousand deep.
  const stack: PlacedFrame[] = [{ frame: root, at: [], parent: undefined, lasts: root.failure === undefined }]
  for (let placed = stack.pop(); placed !== undefined; placed = stack.pop()) {
    yield placed
    const { frame, at, lasts } = placed
    for (let place = frame.calls.length - 1; place >= 0; place--) {
      const call = frame.calls[place]
      if (call === undefined) continue
      stack.push({
        frame: call,
        at: [...at, place],
        parent: frame,
        lasts: lasts && call.failure === undefined,
      })
    }
  }
}

/** The call that a redeem is for: by the credits contract, of the target, with its data. */
export function targetCall(
  root: CallFrame,
  options: { creditsContract: Hex; target: Hex; data: Hex },
): { frame: CallFrame; place: number } | undefined {
  const { creditsContract, target, data } = options
  const place = root.calls.findIndex(
    ({ type, from, to, input }) =>
      type === 'CALL' &&
      sameAddress(from, creditsContract) &&
      sameAddress(to, target) &&
      // the input of a report may be cut
      data.toLowerCase().startsWith(input.toLowerCase()),
  )
  const frame = root.calls[place]
  return frame && { frame, place }
}

/** Where a failure began. */
export type Failure = { frame: CallFrame; at: readonly number[] }

/**
 * Follows a failure to the call in which it began: as long as the last call inside failed too, and what it left is what was
 * passed on, alone or inside of another error, or is nothing.
 *
 * @returns `undefined` when the call went through
 */
export function failureOf(root: CallFrame): Failure | undefined {
  if (root.failure === undefined) return undefined
  let frame = root
  const at: number[] = []
  for (;;) {
    const place = frame.calls.length - 1
    const last = frame.calls[place]
    if (last?.failure === undefined || !isPassedOn(frame, last)) return { frame, at }
    at.push(place)
    frame = last
  }
}

function isPassedOn(frame: CallFrame, inner: CallFrame): boolean {
  if (inner.output === '0x') return true
  // The credits contract passes on the beginning of a long one only.
  const beginning = inner.output.slice(2, 2 + 2 * 256).toLowerCase()
  return frame.output.toLowerCase().includes(beginning)
}

/** What is said of a call that failed without bytes that say why. */
export const outOfGas = 'it ran out of gas'
/** Replaced by the reason where there is one. */
export const reverted = 'it reverted'
export const noCoin = "it sent more of the chain's own coin than it has"

/** What an NFT contract calls of a receiver (ERC-721, ERC-1155). */
export const receiverHooks: readonly string[] = [
  '0x150b7a02', // onERC721Received(address,address,uint256,bytes)
  '0xf23a6e61', // onERC1155Received(address,address,uint256,uint256,bytes)
  '0xbc197c81', // onERC1155BatchReceived(address,address,uint256[],uint256[],bytes)
]

/** Nodes write addresses in lower case, people with a checksum. */
export function sameAddress(a: Hex | undefined, b: Hex | undefined): boolean {
  return a !== undefined && b !== undefined && a.toLowerCase() === b.toLowerCase()
}

/** The address in a word of 32 bytes, with its checksum. */
export function addressIn(word: Hex): Hex {
  return getAddress(`0x${word.slice(-40).padStart(40, '0').toLowerCase()}`)
}
