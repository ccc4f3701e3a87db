import { invalidOption } from '../checkOptions.ts'
import { tokenAccountRent } from './checkRent.ts'
import type { Connection } from './connection.ts'
import { FeeTooHighError } from './errors.ts'

/**
 * What a token account costs by the node's own word, and never more than a bound: a node that names more is wrong, or
 * lies. So does one that names nothing: no account is free, and 0 says in a transfer that the account is there.
 *
 * @returns lamports
 * @throws {@link FeeTooHighError}; InvalidOptionError
 */
export async function readRent(
  connection: Pick<Connection, 'getMinimumBalanceForRentExemption'>,
  maxRentLamports: bigint = tokenAccountRent,
): Promise<bigint> {
  if (typeof maxRentLamports !== 'bigint')
    throw invalidOption('maxRentLamports', maxRentLamports, 'Give lamports as a bigint.')
  const lamports = await connection.getMinimumBalanceForRentExemption(165)
  if (Number.isSafeInteger(lamports) && lamports > 0 && lamports <= maxRentLamports) return BigInt(lamports)
  throw new FeeTooHighError(
    `The node says that a token account costs ${lamports} lamports, not 1 to ${maxRentLamports}.`,
    { field: 'rent', fix: 'Ask another node, or allow it: maxRentLamports.' },
  )
}
