import type { Hex } from 'viem'
import { BaseError } from '../../core/errors/baseError.ts'
import { ask } from '../../evm/signer/toSigner.ts'

/**
 * Asks a key, whoever made it, to sign a digest. What it answers is still to be checked.
 *
 * @throws {@link UserRejectedError} {@link WalletFailedError}; what a signer of ours says of itself comes through as it is
 */
export async function askKey(
  key: { sign: (parameters: { hash: Hex }) => Promise<Hex> },
  hash: Hex,
): Promise<Hex> {
  try {
    // An answer of another type is refused by the reader of signatures, as every wrong one is.
    return (await ask(key, 'sign', { hash })) as Hex
  } catch (error) {
    throw error instanceof BaseError && error.cause instanceof BaseError ? error.cause : error
  }
}
