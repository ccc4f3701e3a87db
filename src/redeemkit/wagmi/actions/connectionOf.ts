import { type Config, type Connector, getConnection } from '@wagmi/core'
import type { Address } from 'viem'
import type { PaymentPins } from '../../checkout/paymentIntent.ts'
import type { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { WrongSignerError } from '../../core/errors/walletErrors.ts'
import { checkAddress } from '../../evm/checkAddress.ts'
import type { RedeemPins } from '../../evm/creditPermit/inspectOptions.ts'
import { notConnected, type WalletNotConnectedError } from '../../evm/signer/askWallet.ts'
import type { EvmSigner } from '../../evm/signer/toSigner.ts'
import type { PinsRequiredError } from '../../redeem/errors.ts'
import { meantChainId, type Redeemkit } from '../kit.ts'
import { pinOf } from '../readKit.ts'

/** The connected wallet, and the pinned values of a chain. */
export type ActsAs = {
  readonly wallet: Address
  readonly connector: Connector
  /** Chain to act on. The wallet may be on another chain. */
  readonly chainId: number
  /** Pinned values for redeems on that chain. */
  readonly pinned: RedeemPins
  /** Pinned values for payments on that chain. */
  readonly payments: Omit<PaymentPins, 'settlementContract'> & { settlementContract: Address | undefined }
}

/**
 * Reads the connected wallet and the chain to act on.
 *
 * @param options.wallet rejects any other account
 * @throws {@link WalletNotConnectedError}; WrongSignerError; PinsRequiredError for a chain that the kit does not pin
 */
export function connectionOf(
  config: Config,
  { kit, chainId, wallet }: { kit: Redeemkit; chainId?: number | undefined; wallet?: string | undefined },
): ActsAs {
  const { address, connector, chainId: walletChainId } = getConnection(config)
  if (address === undefined || connector === undefined) throw notConnected('No wallet is connected.')
  if (wallet !== undefined && checkAddress(wallet, 'wallet') !== address)
    throw new WrongSignerError(`The connected account is ${address}, not ${wallet}.`, {
      field: 'wallet',
      fix: 'Select that account in the wallet.',
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
  type ErrorType = WalletNotConnectedError | WrongSignerError | InvalidAddressError | PinsRequiredError
}

/** Latest signer of each connector, so that a click does not have to wait. */
const resolved = new WeakMap<Connector, { wallet: Address; chainId: number; signer: EvmSigner }>()

/**
 * Returns a connector's wallet as a signer. Opens no prompt. Call it before the click: finding an extension or opening a
 * WalletConnect session takes a moment.
 *
 * @throws {@link WalletNotConnectedError} if the connector is reconnecting or has no provider
 */
export async function signerOf({ connector, wallet, chainId }: signerOf.Options): Promise<EvmSigner> {
  // While wagmi reconnects, its connector has no functions yet.
  if (typeof connector.getProvider !== 'function') throw notConnected('The wallet is still reconnecting.')
  // Some connectors create their own client for one chain.
  const own = await connector.getClient?.({ chainId })
  // With a chain id, wagmi's walletConnect would prompt for a network switch.
  const signer = own ?? providerOf(await connector.getProvider(), wallet)
  resolved.set(connector, { wallet, chainId, signer })
  return signer
}

export declare namespace signerOf {
  type Options = { connector: Connector; wallet: Address; chainId: number }
  type ErrorType = WalletNotConnectedError
}

/** `undefined` if the latest signer is for another account or chain. */
export function knownSigner({ connector, wallet, chainId }: signerOf.Options): EvmSigner | undefined {
  const found = resolved.get(connector)
  return found?.wallet === wallet && found.chainId === chainId ? found.signer : undefined
}

function providerOf(provider: unknown, address: Address): EvmSigner {
  const { request, isWalletConnect } = Object(provider) as Record<string, unknown> // checked next
  if (typeof request !== 'function') throw notConnected('The wallet has no EIP-1193 provider.')
  // A connector lists the active account first. The provider may list another account first.
  const signer = { request: (call: never) => Promise.resolve(request.call(provider, call)), address }
  return Object.assign(signer, { isWalletConnect })
}
