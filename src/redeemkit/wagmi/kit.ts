import { type Config, getConnection } from '@wagmi/core'
import type { Address } from 'viem'
import type { PaymentsClient } from '../api/createPaymentsClient.ts'
import type { Call, CallClient, Sender } from '../api/paymentsClient.ts'
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

/** Returns the given chain, the wallet's chain if it is pinned, or the first pinned one. */
export function meantChainId(
  { pins }: Redeemkit,
  { chainId, walletChainId }: { chainId?: number | undefined; walletChainId: number | undefined },
): number {
  if (chainId !== undefined) return chainId
  // createRedeemkit requires at least one pin.
  const [first] = pins as [Redeemkit['pins'][number]]
  return (pins.find((pin) => pin.chainId === walletChainId) ?? first).chainId
}

/** Adds the account and the chain of the call, because both may change while the engine loads. */
export function asConnected<
  parameters extends { kit: Redeemkit; chainId?: number | undefined; wallet?: string | undefined },
>(config: Config, parameters: parameters): parameters & { chainId: number; wallet: string | undefined } {
  const { address, chainId: walletChainId } = getConnection(config)
  const { kit, chainId, wallet = address } = parameters
  return { ...parameters, chainId: meantChainId(kit, { chainId, walletChainId }), wallet }
}

/** Returns the kit's purchase storage; `undefined` means memory. Evaluated on each call: on a server there is no page storage. */
export function storageOf({ storage }: Redeemkit): PurchaseStorage | undefined {
  if (storage !== undefined) return storage ?? undefined
  return globalThis.document === undefined ? undefined : pageStorage
}

/** The browser may deny a page its storage; redeem then reports the error. */
const pageStorage: PurchaseStorage = {
  getItem: (key) => globalThis.localStorage.getItem(key),
  setItem: (key, value) => globalThis.localStorage.setItem(key, value),
  removeItem: (key) => globalThis.localStorage.removeItem(key),
  keys: () =>
    Array.from({ length: globalThis.localStorage.length }, (_, at) => globalThis.localStorage.key(at) ?? ''),
}

let sender: Sender | undefined

/**
 * Uses the code that an action has provided, or the engine's. So a page with only a redeem button loads no code for calls before a wallet
 * is connected.
 *
 * @throws ModuleLoadError if the engine cannot be loaded: nothing was sent
 */
export async function sendKitCall<answer>(
  call: Call<answer>,
  client: CallClient,
  loadEngine: () => Promise<Sender>,
): Promise<answer> {
  sender ??= await loadEngine()
  return sender.sendCall(call, client)
}

/** Provides the code that sends calls, so that the engine need not be loaded. */
export function bringSender(own: Sender): void {
  sender = own
}
