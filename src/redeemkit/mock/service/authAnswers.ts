import type { Address } from 'viem'
import type { AuthMessageResponse } from '../../schema/auth.ts'
import { hashOf } from './hashOf.ts'
import type { MockWorld } from './mockWorld.ts'

/** The text that a wallet signs in with (EIP-4361), good for 24 hours. */
export function signInAnswer({ terms }: MockWorld, wallet: Address): AuthMessageResponse {
  const { host, origin } = new URL(terms.baseUrl)
  const now = terms.now()
  const at = (ms: number) => new Date(ms).toISOString()
  const message = [
    `${host} wants you to sign in with your Ethereum account:`,
    wallet,
    '',
    'Sign in to pay with your credits.',
    '',
    `URI: ${origin}`,
    'Version: 1',
    `Chain ID: ${terms.chainId}`,
    `Nonce: ${hashOf(globalThis.crypto.randomUUID()).slice(2, 18)}`,
    `Issued At: ${at(now)}`,
    `Expiration Time: ${at(now + 86_400_000)}`,
  ].join('\n')
  return { message }
}
