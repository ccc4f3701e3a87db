import type { Address } from 'viem'
import { walletFactories } from '../evm/signature/walletFactories.ts'
import { UnsupportedSignerError } from '../evm/signer/toSigner.ts'
import type { RedeemPins } from './preparedRedeem.ts'

/**
 * Rejects a wallet without code whose factory is neither widely used nor pinned: services deploy wallets only through factories on their
 * list (PROTOCOL.md 5.3).
 *
 * @param factory `undefined` if it is not known
 * @throws {@link UnsupportedSignerError}
 */
export function checkFactory(
  factory: Address | undefined,
  { walletFactories: own = [] }: Pick<RedeemPins, 'walletFactories'> = {},
): void {
  const known = [...walletFactories, ...own].map((one) => one.toLowerCase())
  if (factory === undefined || known.includes(factory.toLowerCase())) return
  throw new UnsupportedSignerError(`The wallet is not deployed, and its factory ${factory} is not known.`, {
    field: 'pinned.walletFactories',
    fix: 'Nothing was submitted. Deploy the wallet first. If the service deploys wallets through this factory, pin it in `walletFactories`.',
  })
}

export declare namespace checkFactory {
  type ErrorType = UnsupportedSignerError
}
