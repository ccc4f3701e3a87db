import { encodeLength } from './encodeMessage.ts'

/** Writes the wire bytes of a transaction: its signatures, then its message. */
export function encodeTransaction(options: {
  /** 64 bytes each; zeros for one that is still missing. */
  signatures: readonly Uint8Array[]
  message: Uint8Array
}): Uint8Array {
  const { signatures, message } = options
  return Uint8Array.from([
    ...encodeLength(signatures.length),
    ...signatures.flatMap((signature) => [...signature]),
    ...message,
  ])
}
