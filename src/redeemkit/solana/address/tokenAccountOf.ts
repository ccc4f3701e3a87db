import { sha256 } from '@noble/hashes/sha2.js'
import type { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { checkOptions } from '../checkOptions.ts'
import { formatBase58, type InvalidBase58Error, parseBase58 } from '../encoding.ts'
import { programs } from '../instruction/programs.ts'
import { isOnCurve } from './isOnCurve.ts'

const marker = new TextEncoder().encode('ProgramDerivedAddress')
const known = new Map<string, string>()

/**
 * The associated token account of an owner for a mint: the one address at which everybody looks for the
 * owner's tokens.
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
  const bytes = [owner, programs.token, mint].map((key) => parseBase58(key, { field: 'owner', length: 32 }))
  const program = parseBase58(programs.associatedToken, { field: 'program' })
  for (let bump = 255; ; bump--) {
    const hash = sha256(Uint8Array.from([...bytes.flatMap((key) => [...key]), bump, ...program, ...marker]))
    if (isOnCurve(hash)) continue
    const account = formatBase58(hash)
    // A derivation costs a square root; one wallet asks for the same two accounts again and again.
    if (known.size > 500) known.clear()
    known.set(id, account)
    return account
  }
}

export declare namespace tokenAccountOf {
  type ErrorType = InvalidOptionError | InvalidBase58Error
}
