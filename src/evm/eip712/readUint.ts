import type { InvalidAmountError } from '../../core/amount/parseAmount.ts'
import { parseUint } from '../values/checkUint.ts'

/**
 * Reads a uint256 of typed data: as {@link parseUint}, and as 0x-hex text of at most 32 bytes, which wallets sign as the
 * same number.
 *
 * @throws InvalidAmountError
 */
export function readUint(value: unknown, field: string): bigint {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(value)
    ? BigInt(value)
    : parseUint(value, field)
}

export declare namespace readUint {
  type ErrorType = InvalidAmountError
}
