import { formatBase58 } from '../encoding/formatBase58.ts'
import { programs } from '../instruction/programs.ts'
import type { Connection } from './connection.ts'

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
  // See `Connection`: the only thing that is called of a key is its `toBase58`.
  const found = await connection.getAccountInfo({ toBase58: () => account } as never, 'confirmed')
  if (found?.owner.toBase58() !== programs.token || found.data.length !== 165) return undefined
  const data = Uint8Array.from(found.data)
  return {
    owner: formatBase58(data.slice(32, 64)),
    amount: new DataView(data.buffer).getBigUint64(64, true),
    // 2 is frozen, 0 not initialized.
    isUsable: data[108] === 1,
  }
}
