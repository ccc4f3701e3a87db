import type { Connection } from './connection.ts'

/** What a node knows of an account; null when there is nothing at that address. */
export function readAccount(
  connection: Pick<Connection, 'getAccountInfo'>,
  address: string,
): ReturnType<Connection['getAccountInfo']> {
  // See `Connection`: the only thing that is called of a key is its `toBase58`.
  return connection.getAccountInfo({ toBase58: () => address } as never, 'confirmed')
}
