import type { Config } from '@wagmi/core'
import type { RedeemRequest } from '../../evm/creditPermit/redeemIntent.ts'
import { redeem as redeemOf } from '../../redeem/redeem.ts'
import type { RedeemOptions, RedeemResult } from '../../redeem/redeemOptions.ts'
import { connectionOf, knownSigner, signerOf } from '../actions/connectionOf.ts'
import type { Redeemkit } from '../kit.ts'
import { clientOf, type nodesOf, purchaseOptionsOf } from '../readKit.ts'

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
  type ErrorType =
    | connectionOf.ErrorType
    | clientOf.ErrorType
    | nodesOf.ErrorType
    | signerOf.ErrorType
    | redeemOf.ErrorType
}
