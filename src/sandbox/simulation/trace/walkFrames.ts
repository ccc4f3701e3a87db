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
