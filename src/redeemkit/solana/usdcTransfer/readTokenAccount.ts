import { formatBase58, readLittleEndian } from '../encoding.ts'
import { programs } from '../instruction/programs.ts'
import type { Connection } from './connection.ts'
import { readAccount } from './readAccount.ts'

/**
 * Reads a token account of the classic Token program.
 *
 * @returns `undefined` when there is none, although lamports may lie there: then somebody has to pay for its
 *   creation
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
    // 2 is frozen, 0 not initialized.
    isUsable: data[108] === 1,
  }
}
