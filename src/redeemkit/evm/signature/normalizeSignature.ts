import type { Address, Hex } from 'viem'
import { checkOptions } from '../../core/checkOptions.ts'
import { type InvalidRecordError, InvalidSignatureError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { checkAddress } from '../checkAddress.ts'
import { checkHex, checkRecord, type InvalidHexError } from '../values.ts'

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

export const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const halfOrder = curveOrder >> 1n

/** A signature as `r`, `s` and `v` or `yParity`, as in V1 records and other libraries. */
export type SignatureParts = {
  r: Hex
  s: Hex
  /** 27 or 28. Some wallets return 0 or 1. */
  v?: number | bigint | undefined
  /** 0 or 1. An alternative to `v`. */
  yParity?: number | undefined
}

/** A signature in any form that signers return: packed or compact bytes, `r`, `s` and `v`, or the bytes of a contract account. */
export type SignatureInput = Hex | SignatureParts

/**
 * Converts a signature to the one form that both USDC and the credits contract accept.
 *
 * For an account without code, signatures with a `v` of 0 or 1 or a high `s`, compact signatures (ERC-2098) and `{ r, s, v }` become
 * the canonical 65 bytes. Signatures of accounts with code (EIP-7702 included), ERC-6492-wrapped signatures and bytes of other lengths
 * stay unchanged (PROTOCOL.md 5).
 *
 * @param options.hasCode whether the signer's address has code. Default false
 * @returns 0x-hex; 65 bytes for an account without code
 * @throws {@link InvalidSignatureError} for an account without code, if the signature is empty, `v` is not 0, 1, 27 or 28, or `r` or
 * `s` is zero or not below the curve order; InvalidHexError if the signature is not hex bytes
 * @example
 * ```ts
 * import { normalizeSignature } from 'redeemkit/evm'
 * normalizeSignature({ r: `0x${'11'.repeat(32)}`, s: `0x${'22'.repeat(32)}`, v: 0 }) // '0x1111…22221b'
 * ```
 */
export function normalizeSignature(signature: SignatureInput, options: normalizeSignature.Options = {}): Hex {
  checkOptions(options, { hasCode: 'boolean?', field: 'string?' })
  const { hasCode = false, field = 'signature' } = options
  const bytes = packSignature(signature, field)
  if (hasCode) return bytes
  switch (classifySignature(bytes)) {
    case 'packed':
      return canonical(
        BigInt(bytes.slice(0, 66)),
        BigInt(`0x${bytes.slice(66, 130)}`),
        parityOf(Number.parseInt(bytes.slice(130), 16), field),
        field,
      )
    case 'compact': {
      const yParityAndS = BigInt(`0x${bytes.slice(66)}`)
      return canonical(
        BigInt(bytes.slice(0, 66)),
        BigInt.asUintN(255, yParityAndS),
        Number(yParityAndS >> 255n),
        field,
      )
    }
    case 'empty':
      throw new InvalidSignatureError('The signature has no bytes.', {
        field,
        fix: 'Ask the wallet again. Only an account with code can approve without bytes: set hasCode for it.',
      })
    default:
      return bytes
  }
}

export declare namespace normalizeSignature {
  type Options = {
    /** Whether the signer's address has code. If so, the signature stays unchanged. Default false. */
    hasCode?: boolean | undefined
    /** Name of the field for errors. Default `signature`. */
    field?: string | undefined
  }
  type ErrorType = checkOptions.ErrorType | InvalidSignatureError | InvalidHexError | InvalidRecordError
}

/** Concatenates `r`, `s` and `v`; leaves bytes unchanged. */
export function packSignature(signature: SignatureInput, field = 'signature'): Hex {
  const at = field && `${field}.`
  if (typeof signature !== 'object') return checkHex(signature, field)
  checkRecord(signature, field)
  const r = checkHex(signature.r, `${at}r`, { bytes: 32 })
  const s = checkHex(signature.s, `${at}s`, { bytes: 32 })
  const v = signature.v ?? signature.yParity
  const value = typeof v === 'bigint' ? Number(v) : (v ?? Number.NaN)
  if (!Number.isInteger(value) || value < 0 || value > 255)
    throw new InvalidSignatureError(`${showValue(v)} is not a recovery value.`, {
      field: `${at}v`,
      fix: 'Pass 27 or 28 as v.',
    })
  const { yParity } = signature
  if (yParity !== undefined && yParity !== value && yParity !== value - 27)
    throw new InvalidSignatureError(`v ${value} and yParity ${showValue(yParity)} contradict each other.`, {
      field: `${at}yParity`,
      fix: 'Pass one of them.',
    })
  return `${r}${s.slice(2)}${value.toString(16).padStart(2, '0')}`
}

function parityOf(v: number, field: string): number {
  if (v === 27 || v === 28) return v - 27
  if (v === 0 || v === 1) return v
  throw new InvalidSignatureError(`Recovery value v ${v} is not 27, 28, 0 or 1.`, {
    field: `${field}.v`,
    fix: 'Sign again. For a contract account, set hasCode; a USDC authorization then needs V2, with a single signature.',
    source: 'EIP-2',
  })
}

function canonical(r: bigint, s: bigint, yParity: number, field: string): Hex {
  if (r === 0n || r >= curveOrder)
    throw new InvalidSignatureError('r is zero, or not below the curve order.', {
      field: `${field}.r`,
      fix: 'Sign again.',
    })
  if (s === 0n || s >= curveOrder)
    throw new InvalidSignatureError('s is zero, or not below the curve order.', {
      field: `${field}.s`,
      fix: 'Sign again.',
    })
  const high = s > halfOrder
  const low = high ? curveOrder - s : s
  const parity = high ? 1 - yParity : yParity
  return `0x${word(r)}${word(low)}${(27 + parity).toString(16)}`
}

const word = (value: bigint) => value.toString(16).padStart(64, '0')
