import type { Config } from '@wagmi/core'
import type { InvalidClockError } from '../../core/clock.ts'
import type { WrongNetworkError } from '../../core/errors/walletErrors.ts'
import type { InvalidOrderIdError } from '../../core/orderId.ts'
import { messageKey } from '../../core/userMessage/messageKey.ts'
import type { RedeemRequest } from '../../evm/creditPermit/redeemIntent.ts'
import type { networkOf } from '../../evm/networks.ts'
import type { askWallet, WalletNotConnectedError } from '../../evm/signer/askWallet.ts'
import { checkRedeem } from '../../redeem/checkRedeem.ts'
import { isOpenRedeemError } from '../../redeem/isOpenRedeemError.ts'
import { listOpenRedeems, oldestFirst } from '../../redeem/listOpenRedeems.ts'
import { redeem as redeemOf } from '../../redeem/redeem.ts'
import type { CheckedPurchase, RedeemOptions, RedeemResult } from '../../redeem/redeemOptions.ts'
import { within } from '../../redeem/within.ts'
import { connectionOf, knownSigner, signerOf } from '../actions/connectionOf.ts'
import { type Redeemkit, storageOf } from '../kit.ts'
import { clientOf, purchaseOptionsOf } from '../readKit.ts'
import { switchWallet } from './switchWallet.ts'

/** The purchase to pay for. */
export type PurchaseParameters = RedeemRequest & {
  /**
   * The merchant's order id: 1 to 256 visible characters. Each id is for one price and one cart, and is paid once. Use random ids:
   * a guessable id can be recognized on chain.
   */
  purchaseId?: RedeemOptions['purchaseId']
  /** Data for the merchant's webhooks: any plain object. */
  webhookInfo?: RedeemOptions['webhookInfo']
  /**
   * Simulates the redeem on the config's node before the wallet is asked, and rejects a redeem that would fail. Pass `true` whenever the
   * redeem calls a contract. Default false.
   */
  dryRun?: boolean | undefined
  /** Default: the wallet's chain if it is pinned, otherwise the first pinned one. */
  chainId?: number | undefined
}

/** The purchase to pay for, and the kit. */
export type RedeemParameters = PurchaseParameters & { kit: Redeemkit }

export async function redeem(config: Config, parameters: redeem.Parameters): Promise<RedeemResult> {
  const { kit, chainId: _, signer, dryRun, ...options } = parameters
  const { wallet, connector, chainId, pinned } = connectionOf(config, parameters)
  const own = { connector, wallet, chainId }
  return redeemOf(clientOf(kit, { wallet, chainId }), {
    ...options,
    // Uses a known signer without waiting: phones open a wallet only directly after a click.
    signer: signer ?? knownSigner(own) ?? (await signerOf(own)),
    ...purchaseOptionsOf(config, kit, { wallet, chainId, pinned }, dryRun),
    onEvent: kit.onEvent,
  })
}

export declare namespace redeem {
  type Parameters = RedeemParameters &
    Pick<
      RedeemOptions,
      'ready' | 'onStep' | 'signal' | 'usdcVersion' | 'confirmations' | 'timeoutMs' | 'pollingIntervalMs'
    > & {
      /** Default: the connected wallet. */
      signer?: RedeemOptions['signer'] | undefined
      /** Wallet of the purchase. Another account is rejected. Default: the connected wallet. */
      wallet?: string | undefined
    }
  type ErrorType = connectionOf.ErrorType | signerOf.ErrorType | redeemOf.ErrorType
}

export async function prepareRedeem(
  config: Config,
  parameters: prepareRedeem.Parameters & { wallet?: string | undefined },
): Promise<CheckedPurchase> {
  const { kit, chainId: _, dryRun, ...options } = parameters
  const { wallet, connector, chainId, pinned } = connectionOf(config, parameters)
  return checkRedeem(clientOf(kit, { wallet, chainId }), {
    ...options,
    ...purchaseOptionsOf(config, kit, { wallet, chainId, pinned }, dryRun),
    signer: await signerOf({ connector, wallet, chainId }),
  })
}

export declare namespace prepareRedeem {
  type Parameters = RedeemParameters &
    Pick<checkRedeem.Options, 'prepared' | 'maxAgeSeconds' | 'signal' | 'timeoutMs'>
  type ErrorType = connectionOf.ErrorType | signerOf.ErrorType | checkRedeem.ErrorType
}

/** Runs `redeem`. If the wallet is on another network, switches it and runs `redeem` again. */
export async function resumeRedeem(config: Config, parameters: redeem.Parameters): Promise<RedeemResult> {
  try {
    return await redeem(config, parameters)
  } catch (error) {
    if (!isWrongNetwork(error)) throw error
    try {
      await within(switchWallet(config, connectionOf(config, parameters)), { signal: parameters.signal })
    } catch (cause) {
      // Even if the switch is rejected, the redeem may already be submitted.
      throw isOpenRedeemError(error) ? error : cause
    }
    return redeem(config, parameters)
  }
}

export declare namespace resumeRedeem {
  type ErrorType = redeem.ErrorType | askWallet.ErrorType | WalletNotConnectedError | WrongNetworkError
}

/** Returns whether an error means that the wallet, not a node, is on another chain. Includes open redeems that need another signature. */
export function isWrongNetwork(error: unknown): boolean {
  const cause = isOpenRedeemError(error) ? error.cause : error
  return messageKey(cause, { isPayment: true }) === 'WrongNetworkError'
}

export async function getOpenRedeems(
  config: Config,
  parameters: getOpenRedeems.Parameters & { wallet?: string | undefined },
): Promise<listOpenRedeems.ReturnType> {
  const { kit, signal, chainId: meant } = parameters
  const chains = meant === undefined ? kit.pins.map(({ chainId }) => chainId) : [meant]
  const lists = await Promise.all(
    chains.map((meant) => {
      const { wallet, chainId, pinned } = connectionOf(config, { ...parameters, chainId: meant })
      const client = clientOf(kit, { wallet, chainId })
      return listOpenRedeems(client, { pinned, wallet, chainId, signal, storage: storageOf(kit) })
    }),
  )
  const unreadable = lists.flatMap((list) => list.unreadable)
  return {
    open: oldestFirst(lists.flatMap(({ open }) => open)),
    // Unreadable items appear in the list of every chain, so duplicates are removed.
    unreadable: [...new Map(unreadable.map((one) => [one.name, one])).values()],
  }
}

export declare namespace getOpenRedeems {
  type Parameters = {
    kit: Redeemkit
    /** Default: every pinned chain. */
    chainId?: number | undefined
    signal?: AbortSignal | undefined
  }
  type ReturnType = listOpenRedeems.ReturnType
  type ErrorType =
    | connectionOf.ErrorType
    | networkOf.ErrorType
    | InvalidOrderIdError
    | InvalidClockError
    | listOpenRedeems.ErrorType
}
