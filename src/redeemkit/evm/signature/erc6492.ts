import type { Address, Hex } from 'viem'
import { checkAddress } from '../values/checkAddress.ts'
import { classifySignature } from './classifySignature.ts'

/** A signature in its ERC-6492 wrapping. */
export type Erc6492Signature = { factory: Address; factoryData: Hex; signature: Hex }

/**
 * Takes an ERC-6492-wrapped signature apart.
 *
 * @returns `undefined` when it is not wrapped, or the wrapping is damaged
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

/** The `bytes` to which word number `index` of ABI-encoded parameters points. */
function bytesAt(body: string, index: number): Hex | undefined {
  const start = numberAt(body, index * 64)
  const length = start === undefined ? undefined : numberAt(body, start)
  if (start === undefined || length === undefined) return undefined
  const end = start + 64 + length
  return end <= body.length ? `0x${body.slice(start + 64, end)}` : undefined
}

/** A word of ABI-encoded parameters as a count of digits, two for each byte; `undefined` when it is not within them. */
function numberAt(body: string, at: number): number | undefined {
  const text = body.slice(at, at + 64)
  const digits = 2 * Number.parseInt(text, 16)
  return text.length === 64 && digits <= body.length ? digits : undefined
}
