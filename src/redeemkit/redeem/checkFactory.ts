import { checkAddress } from '../evm/checkAddress.ts'
import { walletFactories } from '../evm/signature/walletFactories.ts'
import { UnsupportedSignerError } from '../evm/signer/toSigner.ts'
import { sameHex } from '../evm/values.ts'
import type { RedeemPins } from './preparedRedeem.ts'

/** Services deploy wallets only through factories on their list (PROTOCOL.md 5.3): the factory must be widely used or pinned. */
export function checkFactory(
  factory: unknown,
  { walletFactories: own = [] }: Pick<RedeemPins, 'walletFactories'> = {},
): void {
  const address = checkAddress(factory, 'factory')
  if ([...walletFactories, ...own].some((one) => sameHex(one, address))) return
  throw new UnsupportedSignerError(`The wallet is not deployed, and its factory ${address} is unknown.`, {
    field: 'pinned.walletFactories',
    fix: 'Nothing was submitted. Deploy the wallet first. If the service deploys wallets through this factory, pin it in `walletFactories`.',
  })
}
