import type { Address, Hex } from 'viem'
import { checkAddress } from '../checkAddress.ts'
import { checkHex, type InvalidHexError } from '../values.ts'

/** The 32 bytes at the end of a signature of an account that is not deployed yet (ERC-6492). */
const erc6492Suffix = '6492649264926492649264926492649264926492649264926492649264926492'

/**
 * The possible kinds of a signature, decided by length and ending only.
 *
 * - `packed`: 65 bytes, r ‖ s ‖ v, of a key
 * - `compact`: 64 bytes, r ‖ yParity and s, of a key (ERC-2098)
 * - `erc6492`: wrapped for an account that is not deployed yet
 * - `empty`: no bytes; some contract accounts approve on chain instead
 * - `other`: only a contract account can verify it
 */
export type SignatureKind = 'packed' | 'compact' | 'erc6492' | 'empty' | 'other'

/**
 * Classifies the bytes of a signature. It does not verify the signature.
 *
 * @throws InvalidHexError when it is not bytes
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

/** The parts of an ERC-6492 wrapper. */
export type Erc6492Signature = { factory: Address; factoryData: Hex; signature: Hex }

/**
 * Unwraps an ERC-6492-wrapped signature.
 *
 * @returns `undefined` if there is no wrapper, or a malformed one
 */
export function unwrapErc6492(signature: Hex): Erc6492Signature | undefined {
  if (classifySignature(signature) !== 'erc6492') return undefined
  const body = signature.slice(2, -64).toLowerCase()
  const factoryData = bytesAt(body, 1)
  const inner = bytesAt(body, 2)
  if (factoryData === undefined || inner === undefined || !/^0{24}/.test(body)) return undefined
  const factory = checkAddress(`0x${body.slice(24, 64)}`, 'factory')
  return { factory, factoryData, signature: inner }
}

/** Returns the `bytes` that word number `index` of ABI-encoded parameters points to. */
function bytesAt(body: string, index: number): Hex | undefined {
  const start = numberAt(body, index * 64)
  const end = start + 64 + numberAt(body, start)
  return end <= body.length ? `0x${body.slice(start + 64, end)}` : undefined
}

/** Reads a word that counts bytes, such as an offset or a length, in hex digits. `NaN` outside the body. */
function numberAt(body: string, at: number): number {
  return 2 * Number.parseInt(body.slice(at, at + 64), 16)
}
