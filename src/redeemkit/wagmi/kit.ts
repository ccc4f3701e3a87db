import type { Address } from 'viem'
import type { PaymentsClient } from '../api/createPaymentsClient.ts'
import type { UserMessages } from '../core/userMessage/userMessages.ts'
import type { RedeemPins } from '../evm/creditPermit/inspectOptions.ts'
import type { PurchaseStorage } from '../redeem/purchase/purchaseStorage.ts'
import type { RedeemOptions } from '../redeem/redeemOptions.ts'

/** Pinned values of one chain: trusted values from your own configuration. */
export type ChainPins = RedeemPins & {
  /** Chain of the contract. */
  readonly chainId: number
  /** Contract that settles payments (PROTOCOL.md 10.2). `useUsdcAuthorization` authorizes USDC for no other address. */
  readonly settlementContract?: Address | undefined
  /** Operator of that contract. It receives payments that stay in the merchant's wallet at the service. */
  readonly settlementOperator?: Address | undefined
  /** `false` if payments have random nonces: the service is trusted to use each authorization only for its checkout. Default true. */
  readonly paymentIntentBound?: boolean | undefined
}

/** Configuration of an app for every action: service, pinned values, storage and language. */
export type Redeemkit = {
  /** Identifies the kit in query keys: service, merchant, environment, customer and pins. Contains no secret. */
  readonly key: string
  /**
   * The service's client without a wallet. Clients that its `with` returns share its sign-ins. Its first call may load the code of redeems.
   */
  readonly client: PaymentsClient
  readonly pins: readonly ChainPins[]
  /** `null` keeps purchases in memory only. `undefined` uses `localStorage`, if there is a page. */
  readonly storage: PurchaseStorage | null | undefined
  /** Messages in the app's language. Missing entries are English. */
  readonly messages: Partial<UserMessages>
  readonly onEvent: RedeemOptions['onEvent']
}

/** Parameters of an action that calls the service for the connected wallet. */
export type CallParameters = {
  kit: Redeemkit
  /** Default: the wallet's chain if it is pinned, otherwise the first pinned one. */
  chainId?: number | undefined
  signal?: AbortSignal | undefined
}
