import { type Blockchain, chainFamily } from '../../../../redeemkit/core/blockchains.ts'
import { BaseError } from '../../../../redeemkit/core/errors/baseError.ts'
import { problem } from '../../http/problem.ts'
import type { Service } from '../../service.ts'

export type NamedWallet = { wallet: string; blockchain: Blockchain }

/** More than anybody has. */
const most = 50

/**
 * Wallets of a body, each as its chain writes it.
 *
 * @throws a 400 that names the one at fault
 */
export async function readWallets(
  service: Service,
  wallets: readonly NamedWallet[],
): Promise<readonly NamedWallet[]> {
  if (wallets.length > most)
    throw problem('INVALID_REQUEST', `There are more than ${most} additional wallets.`, {
      issues: ['additionalWallets'],
    })
  const read: NamedWallet[] = []
  for (const [index, { wallet, blockchain }] of wallets.entries()) {
    const issues = [`additionalWallets[${index}].wallet`]
    try {
      const verifier = await service.authVerifier(chainFamily(blockchain))
      if (verifier === undefined)
        throw problem('INVALID_REQUEST', `This service knows no wallets on ${blockchain}.`, { issues })
      read.push({ wallet: verifier.parseWallet(wallet), blockchain })
    } catch (cause) {
      if (!(cause instanceof BaseError)) throw cause
      throw problem('INVALID_REQUEST', cause.shortMessage, { cause, issues })
    }
  }
  return read
}
