import type { Hex } from 'viem'
import { BaseError } from '../../core/errors/baseError.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { bytesToHex, hexToBytes } from '../../evm/viem.ts'

/** The client data of a passkey assertion, as the browser wrote it (WebAuthn L3, section 5.8.1). */
export type ClientData = {
  /** `webauthn.get` in an assertion. */
  type: string
  /** base64url without padding. */
  challenge: string
  /** Absent if the data was not written by a browser. */
  origin: string | undefined
  /** Whether the requesting page was in a frame that a page of another origin embeds. */
  crossOrigin: boolean
  /** The origin of the embedding page, if the browser reports it. */
  topOrigin: string | undefined
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+/g

/**
 * Parses WebAuthn's clientDataJSON. Refuses text that another parser could read differently: a repeated top-level key (JavaScript
 * uses the last value, other parsers the first), and an escape sequence in a key, in `type` or in `challenge`.
 *
 * @throws {@link InvalidClientDataError}
 * @see WebAuthn L3, section 5.8.1
 * @example
 * ```ts
 * import { parseClientData } from 'redeemkit/tempo'
 * parseClientData('{"type":"webauthn.get","challenge":"3q2-7w","origin":"https://shop.example"}').origin
 * ```
 */
export function parseClientData(text: string): ClientData {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw invalid('The client data is not JSON.', cause)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid('The client data is not a JSON object.')
  checkNames(text)
  const { type, challenge, origin, crossOrigin, topOrigin } = value as Record<string, unknown> // checked above to be an object
  if (typeof type !== 'string') throw invalid(`Client data type ${showValue(type)} is not text.`)
  if (typeof challenge !== 'string') throw invalid('The client data has no challenge.')
  if (origin !== undefined && typeof origin !== 'string')
    throw invalid('The origin in the client data is not text.')
  if (crossOrigin !== undefined && typeof crossOrigin !== 'boolean')
    throw invalid('crossOrigin in the client data is not a boolean.')
  if (topOrigin !== undefined && typeof topOrigin !== 'string')
    throw invalid('The top origin in the client data is not text.')
  return { type, challenge, origin, crossOrigin: crossOrigin === true, topOrigin }
}

export declare namespace parseClientData {
  type ErrorType = InvalidClientDataError
}

function checkNames(text: string): void {
  const seen = new Set<string>()
  let depth = 0
  let name: string | undefined
  let previous = ''
  for (const [part] of text.matchAll(token)) {
    if (part === '{' || part === '[') depth += 1
    else if (part === '}' || part === ']') depth -= 1
    else if (part === ':' && depth === 1) {
      if (previous.includes('\\')) throw invalid('A name in the client data has an escape sequence.')
      if (seen.has(previous)) throw invalid(`The client data repeats the key ${previous.slice(0, 24)}.`)
      seen.add(previous)
      name = previous
    } else if (part === ',' && depth === 1) name = undefined
    else if (depth === 1 && (name === '"type"' || name === '"challenge"') && part.includes('\\'))
      throw invalid(`${name} in the client data has an escape sequence.`)
    previous = part
  }
}

function invalid(message: string, cause?: unknown): InvalidClientDataError {
  return new InvalidClientDataError(message, {
    field: 'clientDataJSON',
    fix: 'Pass the browser’s bytes unchanged.',
    source: 'WebAuthn L3, section 5.8.1',
    cause,
  })
}

/** The client data of a passkey assertion is malformed or ambiguous. */
export class InvalidClientDataError extends BaseError {
  override readonly name = 'InvalidClientDataError'
}

/** Encodes bytes as base64url without padding (RFC 4648, section 5), as WebAuthn encodes a challenge. */
export function base64url(hex: Hex): string {
  const text = String.fromCharCode(...hexToBytes(hex))
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** The inverse of {@link base64url}; throws for text that is not base64url. */
export function fromBase64url(text: string): Hex {
  const decoded = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return bytesToHex(Uint8Array.from(decoded, (char) => char.charCodeAt(0)))
}
