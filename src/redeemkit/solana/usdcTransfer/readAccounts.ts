import { invalidOption } from '../checkOptions.ts'
import { formatBase58, readLittleEndian } from '../encoding.ts'
import { programs } from '../instruction/programs.ts'
import { FeeTooHighError } from './errors.ts'
import { tokenAccountRent } from './expectedTransfer.ts'

/**
 * Reads a token account of the classic Token program. Returns `undefined` if the address has no such account, even if it holds lamports:
 * the sponsor must then pay for its creation.
 */
export async function readTokenAccount(
  connection: Pick<Connection, 'getAccountInfo'>,
  account: string,
): Promise<{ owner: string; amount: bigint; isUsable: boolean } | undefined> {
  const found = await readAccount(connection, account)
  if (found?.owner.toBase58() !== programs.token || found.data.length !== 165) return undefined
  const data = Uint8Array.from(found.data)
  return {
    owner: formatBase58(data.slice(32, 64)),
    amount: readLittleEndian(data.slice(64, 72)),
    // State 2 means frozen, and state 0 means not initialized.
    isUsable: data[108] === 1,
  }
}

/**
 * Returns the node's rent for a token account, in lamports. Rejects values above the limit, and 0, which in a transfer would mean that the
 * account exists.
 */
export async function readRent(
  connection: Pick<Connection, 'getMinimumBalanceForRentExemption'>,
  maxRentLamports: bigint = tokenAccountRent,
): Promise<bigint> {
  if (typeof maxRentLamports !== 'bigint')
    throw invalidOption('maxRentLamports', maxRentLamports, 'Pass lamports as a bigint.')
  const lamports = await connection.getMinimumBalanceForRentExemption(165)
  if (Number.isSafeInteger(lamports) && lamports > 0 && lamports <= maxRentLamports) return BigInt(lamports)
  throw new FeeTooHighError(
    `The node reports a rent of ${lamports} lamports for a token account, not 1 to ${maxRentLamports}.`,
    { field: 'rent', fix: 'Use another node, or raise maxRentLamports.' },
  )
}

/** An account as a node reports it; null if the address is empty. */
export function readAccount(
  connection: Pick<Connection, 'getAccountInfo'>,
  address: string,
): ReturnType<Connection['getAccountInfo']> {
  // Only `toBase58` of a key is called; see `Connection`.
  return connection.getAccountInfo({ toBase58: () => address } as never, 'confirmed')
}

/** The methods of a web3.js `Connection` that these functions call. Each function requires only those that it calls. */
export type Connection = {
  getGenesisHash(): Promise<string>
  getLatestBlockhash(commitment?: 'confirmed'): Promise<{ blockhash: string; lastValidBlockHeight: number }>
  /** The height and the slot of a block, in one response. */
  getEpochInfo(commitment?: 'finalized'): Promise<{ absoluteSlot: number; blockHeight?: number | undefined }>
  /** Lamports that an account of this size in bytes must hold. */
  getMinimumBalanceForRentExemption(length: number): Promise<number>
  getAccountInfo(
    // web3.js declares its own class here; only `toBase58` is called.
    publicKey: never,
    commitment?: 'confirmed',
  ): Promise<{ owner: { toBase58(): string }; data: Uint8Array } | null>
  sendRawTransaction(bytes: Uint8Array, options?: { preflightCommitment: 'confirmed' }): Promise<string>
  getSignatureStatuses(
    signatures: string[],
    options?: { searchTransactionHistory: boolean },
  ): Promise<{
    /** The slot at which the node responded. */
    context: { slot: number }
    value: readonly ({ slot: number; err: unknown; confirmationStatus?: string | undefined } | null)[]
  }>
}
