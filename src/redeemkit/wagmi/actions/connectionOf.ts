import { type Config, type Connector, getConnection } from '@wagmi/core'
import type { Address } from 'viem'
import type { PaymentPins } from '../../checkout/paymentIntent.ts'
import type { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { WrongSignerError } from '../../core/errors/walletErrors.ts'
import type { RedeemPins } from '../../evm/creditPermit/redeemPins.ts'
import { notConnected, type WalletNotConnectedError } from '../../evm/signer/askWallet.ts'
import type { EvmSigner } from '../../evm/signer/evmSigner.ts'
import { checkAddress } from '../../evm/values/checkAddress.ts'
import type { Redeemkit } from '../createRedeemkit.ts'
import { meantChainId, pinOf } from '../readKit.ts'

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

/** What was resolved last, by connector. A click takes it without waiting. */
const resolved = new WeakMap<Connector, { wallet: Address; chainId: number; signer: EvmSigner }>()

/**
 * The wallet behind a connector, as a signer. Asks no person, and is done before the click: an extension may need a moment to be found, and
 * a session of WalletConnect to be opened.
 *
 * @throws {@link WalletNotConnectedError} for a connector that is still reconnecting, or has no provider
 */
export async function signerOf({ connector, wallet, chainId }: signerOf.Options): Promise<EvmSigner> {
  // While wagmi reconnects, its connector has a name and no functions yet.
  if (typeof connector.getProvider !== 'function') throw notConnected('The wallet is still reconnecting.')
  // Some connectors make a client of their own for one chain.
  const own = await connector.getClient?.({ chainId })
  // Asked for a chain, wagmi's walletConnect makes the person switch to it: that is for a click.
  const signer = own ?? providerOf(await connector.getProvider(), wallet)
  resolved.set(connector, { wallet, chainId, signer })
  return signer
}

export declare namespace signerOf {
  type Options = { connector: Connector; wallet: Address; chainId: number }
  type ErrorType = WalletNotConnectedError
}

/** The same without waiting: what `signerOf` found last, when it is of this account and chain. */
export function knownSigner({ connector, wallet, chainId }: signerOf.Options): EvmSigner | undefined {
  const found = resolved.get(connector)
  return found?.wallet === wallet && found.chainId === chainId ? found.signer : undefined
}

function providerOf(provider: unknown, address: Address): EvmSigner {
  const { request } = Object(provider) as { request?: unknown } // looked at next
  if (typeof request !== 'function') throw notConnected('The wallet shows no EIP-1193 provider.')
  // A connector shows the account that is in use first, which need not be the provider's first.
  return { request: (call: never) => Promise.resolve(request.call(provider, call)), address }
}
