import { checkBlockchain, checkHeader, checkWallet } from '../../api/clientOptions.ts'
import type { Blockchain } from '../../core/blockchains.ts'
import { InvalidOptionError } from '../../core/errors/inputErrors.ts'

/** Who asks, as the merchant's own session says: your own id of them, their wallet with its blockchain, or both. */
export type MerchantUser =
  | { userId: string; wallet?: undefined; blockchain?: undefined }
  | { userId?: string | undefined; wallet: string; blockchain: Blockchain }

/**
 * What `authenticate` answered, as a user.
 *
 * @throws {@link InvalidOptionError} for an answer that names nobody
 */
export function readUser(found: unknown): MerchantUser {
  const { userId, wallet, blockchain } = Object(found)
  const isNamed =
    userId === undefined
      ? wallet !== undefined
      : typeof userId === 'string' && /\S/.test(userId) && userId.length <= 256
  if (!isNamed || (wallet === undefined) !== (blockchain === undefined))
    throw new InvalidOptionError('authenticate named nobody.', {
      field: 'authenticate',
      fix: 'Let it resolve to { userId }, to { wallet, blockchain }, or to both; to null when nobody is logged in.',
    })
  checkHeader(userId, 'userId')
  if (wallet === undefined) return { userId }
  checkBlockchain(blockchain)
  checkWallet(wallet, blockchain)
  return { userId, wallet, blockchain }
}
