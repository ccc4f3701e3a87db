import type { Hex } from 'viem'
import { askWallet } from '../../evm/signer/askWallet.ts'

/**
 * Asks a key, whoever made it, to sign a digest. What it answers is still to be checked.
 *
 * @throws what {@link askWallet} throws; what a signer of ours says of itself comes through as it is
 */
export async function askKey(
  key: { sign: (parameters: { hash: Hex }) => Promise<Hex> },
  hash: Hex,
): Promise<Hex> {
  // An answer of another type is refused by the reader of signatures, as every wrong one is.
  return (await askWallet(key, 'sign', { hash })) as Hex
}

export declare namespace askKey {
  type ErrorType = askWallet.ErrorType
}
