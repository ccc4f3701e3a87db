import { validateMnemonic } from '@scure/bip39'
import { english, type LocalAccount, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import type { Secret } from '../messages.ts'

/**
 * Reads a phrase or a key as a person enters it.
 *
 * @returns the secret in its one spelling; `undefined` for words that are no phrase and for an impossible key
 */
export function readSecret(secret: Secret): Secret | undefined {
  if (secret.kind === 'phrase') {
    const phrase = secret.phrase.trim().toLowerCase().split(/\s+/).join(' ')
    return validateMnemonic(phrase, english) ? { kind: 'phrase', phrase } : undefined
  }
  const hex = secret.key.trim().replace(/^0x/i, '').toLowerCase()
  if (!/^[0-9a-f]{64}$/.test(hex)) return undefined
  const read = { kind: 'key', key: `0x${hex}` } as const
  try {
    // It refuses 0 and numbers above the order of the curve.
    accountOf(read, 0)
    return read
  } catch {
    return undefined
  }
}

/** The account of a secret. A phrase has one for each index (BIP-44). */
export function accountOf(secret: Secret, index: number): LocalAccount {
  return secret.kind === 'phrase'
    ? mnemonicToAccount(secret.phrase, { addressIndex: index })
    : privateKeyToAccount(secret.key as `0x${string}`) // checked by `readSecret`
}
