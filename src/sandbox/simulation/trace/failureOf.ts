import type { CallFrame } from '../redeemReport.ts'

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
