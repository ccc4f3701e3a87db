import { invalidOption } from '../checkOptions.ts'

/**
 * The most that it has ever cost to keep a token account (165 bytes), in lamports: 6960 a byte, with 128 more. The price
 * is being lowered (SIMD-0437).
 */
export const tokenAccountRent = 2_039_280n

/**
 * Takes the known rent of the receiver's token account. See PROTOCOL.md 9.3.
 *
 * @returns lamports; 0n when the account is there
 * @throws {@link InvalidOptionError}
 */
export function checkRent(rent: { lamports: string | number | bigint }): bigint {
  const lamports = rent?.lamports
  const text = typeof lamports === 'object' ? '' : String(lamports)
  if (/^(0|[1-9]\d{0,18})$/.test(text)) return BigInt(text)
  throw invalidOption('rent.lamports', lamports, 'Give whole lamports.')
}
