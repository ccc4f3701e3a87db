import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { attempt } from '../core/attempt.ts'
import { InvalidAddressError, type InvalidOptionError } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'
import { checkOptions } from './checkOptions.ts'
import { formatBase58, type InvalidBase58Error, parseBase58 } from './encoding.ts'
import { networks } from './networks.ts'
import { programs } from './transaction/programs.ts'

/** An address as base58 text, or an object with `toBase58` (a web3.js `PublicKey`). */
export type AddressLike = string | { toBase58(): string }

/** Accepts base58 text of 32 bytes, or a web3.js `PublicKey`. Returns base58 text. */
export function parseAddress(address: AddressLike, options: { field: string }): string {
  const { field } = options
  try {
    const text = typeof address === 'string' ? address : address.toBase58()
    parseBase58(text, { field, length: 32 })
    return text
  } catch (cause) {
    throw new InvalidAddressError(`${showValue(address)} is not a Solana address.`, {
      field,
      cause,
      fix: 'Pass the base58 text of a 32-byte public key.',
    })
  }
}

const marker = new TextEncoder().encode('ProgramDerivedAddress')
const known = new Map<string, string>()

/**
 * Returns the associated token account of an owner for a mint: the address where wallets and services expect the owner's
 * tokens.
 *
 * @param owner base58, on the curve or not
 * @param mint base58; of the classic Token program
 * @returns base58; off the curve
 * @throws {@link InvalidOptionError} {@link InvalidBase58Error}
 */
export function tokenAccountOf(options: { owner: string; mint: string }): string {
  const { owner, mint } = checkOptions(options)
  const id = `${owner} ${mint}`
  const found = known.get(id)
  if (found !== undefined) return found
  const bytes = Object.entries({ owner, program: programs.token, mint }).map(([field, key]) =>
    parseBase58(key, { field, length: 32 }),
  )
  const program = parseBase58(programs.associatedToken, { field: 'program' })
  for (let bump = 255; ; bump--) {
    const hash = sha256(Uint8Array.from([...bytes.flatMap((key) => [...key]), bump, ...program, ...marker]))
    if (isOnCurve(hash)) continue
    const account = formatBase58(hash)
    // Cached: a derivation is slow, and a wallet needs the same two accounts repeatedly.
    if (known.size > 500) known.clear()
    known.set(id, account)
    return account
  }
}

export declare namespace tokenAccountOf {
  type ErrorType = InvalidOptionError | InvalidBase58Error
}

/** Whether 32 bytes are a valid ed25519 public key. A program-derived address never is one. */
export function isOnCurve(publicKey: Uint8Array): boolean {
  return attempt(() => ed25519.Point.fromBytes(publicKey)) !== undefined
}

/**
 * Whether an address is a program, a mint or a runtime account, which can neither pay nor be paid. Runtime addresses (Stake, Vote, sysvars,
 * loaders, wrapped SOL, the incinerator) contain eight ones in a row; in practice, no random key does.
 */
export function isReserved(address: string): boolean {
  return (
    /1{8}/.test(address) ||
    Object.values<string>(programs).includes(address) ||
    networks.some(({ usdcMint }) => usdcMint === address)
  )
}
