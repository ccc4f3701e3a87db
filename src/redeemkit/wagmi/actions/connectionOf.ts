import { type Config, type Connector, getConnection } from '@wagmi/core'
import type { Address } from 'viem'
import type { PaymentPins } from '../../checkout/paymentIntent.ts'
import type { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { WrongSignerError } from '../../core/errors/walletErrors.ts'
import { checkAddress } from '../../evm/checkAddress.ts'
import type { RedeemPins } from '../../evm/creditPermit/inspectOptions.ts'
import type { WalletNotConnectedError } from '../../evm/signer/askWallet.ts'
import { notConnected } from '../../evm/signer/askWallet.ts'
import type { Redeemkit } from '../kit/createRedeemkit.ts'
import { meantChainId } from '../kit/meantChainId.ts'
import { pinOf } from '../kit/pinOf.ts'

/** Who acts, and where. */
export type ActsAs = {
  readonly wallet: Address
  readonly connector: Connector
  /** The chain that is meant; the wallet may stand on another one. */
  readonly chainId: number
  /** What a redeem trusts on that chain. */
  readonly pinned: RedeemPins
  /** What a payment trusts there: who may be given USDC for a checkout. */
  readonly payments: Omit<PaymentPins, 'settlementContract'> & { settlementContract: Address | undefined }
}

/**
 * The connected wallet, and the chain that is meant.
 *
 * @param options.wallet refuses any other account
 * @throws {@link WalletNotConnectedError}; WrongSignerError; PinsRequiredError for a chain that the kit does not pin
 */
export function connectionOf(
  config: Config,
  { kit, chainId, wallet }: { kit: Redeemkit; chainId?: number | undefined; wallet?: string | undefined },
): ActsAs {
  const { address, connector, chainId: walletChainId } = getConnection(config)
  if (address === undefined || connector === undefined) throw notConnected('No wallet is connected.')
  if (wallet !== undefined && checkAddress(wallet, 'wallet') !== address)
    throw new WrongSignerError(`The wallet shows ${address}, and this is for ${wallet}.`, {
      field: 'wallet',
      fix: 'Choose that account in the wallet.',
    })
  const meant = meantChainId(kit, { chainId, walletChainId })
  const { settlementContract, settlementOperator, paymentIntentBound, ...pinned } = pinOf(kit, meant)
  const { creditSeed, bridgeAdapter, usdcAuthorizationType } = pinned
  const payments = {
    creditSeed,
    bridgeAdapter,
    usdcAuthorizationType,
    settlementContract,
    settlementOperator,
    paymentIntentBound,
  }
  return { wallet: address, connector, chainId: meant, pinned, payments }
}

export declare namespace connectionOf {
  type ErrorType = WalletNotConnectedError | WrongSignerError | InvalidAddressError | pinOf.ErrorType
}
