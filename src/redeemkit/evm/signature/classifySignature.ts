import type { Address, Hex } from 'viem'
import { checkAddress } from '../checkAddress.ts'
import { checkHex, type InvalidHexError } from '../values.ts'

/** The last 32 bytes of every ERC-6492-wrapped signature. */
const erc6492Suffix = '6492649264926492649264926492649264926492649264926492649264926492'

/**
 * The kind of a signature, judged by its length and last bytes.
 *
 * - `packed`: 65 bytes, r ‖ s ‖ v, by a secp256k1 key
 * - `compact`: 64 bytes, r ‖ yParityAndS, by a secp256k1 key (ERC-2098)
 * - `erc6492`: an ERC-6492 wrapper, usually for an account that is not deployed yet
 * - `empty`: no bytes, as some contract accounts return if their owners approve on chain
 * - `other`: bytes that only a contract account can verify
 */
export type SignatureKind = 'packed' | 'compact' | 'erc6492' | 'empty' | 'other'

/**
 * Classifies a signature by its bytes. Does not verify it.
 *
 * @throws InvalidHexError if the signature is not hex bytes
 * @example
 * ```ts
 * import { classifySignature } from 'redeemkit/evm'
 * classifySignature(`0x${'11'.repeat(65)}`) // 'packed'
 * ```
 */
export function classifySignature(signature: Hex): SignatureKind {
  checkHex(signature, 'signature')
  if (signature.length === 2) return 'empty'
  if (signature.slice(-64) === erc6492Suffix) return 'erc6492'
  if (signature.length === 132) return 'packed'
  if (signature.length === 130) return 'compact'
  return 'other'
}

export declare namespace classifySignature {
  type ErrorType = InvalidHexError
}

export type Erc6492Signature = { factory: Address; factoryData: Hex; signature: Hex }

/** Returns `undefined` if the signature has no wrapper or a malformed one. */
export function unwrapErc6492(signature: Hex): Erc6492Signature | undefined {
  if (classifySignature(signature) !== 'erc6492') return undefined
  const body = signature.slice(2, -64).toLowerCase()
  const factoryData = bytesAt(body, 1)
  const inner = bytesAt(body, 2)
  if (factoryData === undefined || inner === undefined || !/^0{24}/.test(body)) return undefined
  const factory = checkAddress(`0x${body.slice(24, 64)}`, 'factory')
  return { factory, factoryData, signature: inner }
}

/** Returns the `bytes` argument at a position of ABI-encoded arguments. */
function bytesAt(body: string, index: number): Hex | undefined {
  const start = numberAt(body, index * 64)
  const end = start + 64 + numberAt(body, start)
  return end <= body.length ? `0x${body.slice(start + 64, end)}` : undefined
}

/** Reads an offset or a length in bytes, and returns it as a number of hex digits. `NaN` outside of the body. */
function numberAt(body: string, at: number): number {
  return 2 * Number.parseInt(body.slice(at, at + 64), 16)
}
