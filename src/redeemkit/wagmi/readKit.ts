import type { Config } from '@wagmi/core'
import type { HasSessionKey, PaymentsClient } from '../api/createPaymentsClient.ts'
import type { InvalidOrderIdError } from '../core/orderId.ts'
import type { InvalidClockError } from '../core/time/clock.ts'
import { userMessage } from '../core/userMessage/userMessage.ts'
import { networkOf } from '../evm/networks.ts'
import { PinsRequiredError } from '../redeem/errors.ts'
import type { OtherChain } from '../redeem/otherChain.ts'
import type { PurchaseStorage } from '../redeem/purchase/purchaseStorage.ts'
import type { ChainPins, Redeemkit } from './createRedeemkit.ts'

/**
 * The kit's client of the service, for one wallet on one chain. All of them share the sign-ins.
 *
 * @throws UnknownNetworkError for a chain that is none of the service's; InvalidOptionError for a wallet that is no address
 */
export function clientOf(
  kit: Redeemkit,
  { wallet, chainId }: { wallet?: string | undefined; chainId: number },
): PaymentsClient {
  const { blockchain } = networkOf({ chainId })
  return kit.client.with({ blockchain, wallet })
}

export declare namespace clientOf {
  type ErrorType = networkOf.ErrorType | InvalidOrderIdError | InvalidClockError
}

/**
 * The kit's client for the calls of a customer who is known by a session key: the same object each time, by which two clicks of one
 * payment are seen to be one (PROTOCOL.md 7.3). Where the kit has no `sessionKey`, or no `userId` that a call needs, the call says so
 * before anything is sent.
 */
export function customerClientOf({
  client,
}: Redeemkit): PaymentsClient<HasSessionKey & { readonly userId: string }> {
  // Whether it has both is seen when it calls: each call looks.
  return client as PaymentsClient<HasSessionKey & { readonly userId: string }>
}

/** The chain that is meant where none is named: the wallet's, where it is pinned, else the first pinned. */
export function meantChainId(
  { pins }: Redeemkit,
  { chainId, walletChainId }: { chainId?: number | undefined; walletChainId: number | undefined },
): number {
  if (chainId !== undefined) return chainId
  // A kit has a pin: createRedeemkit looks.
  const [first] = pins as [Redeemkit['pins'][number]]
  return (pins.find((pin) => pin.chainId === walletChainId) ?? first).chainId
}

/** What a person is told of an error, in the kit's language; `undefined` where there is none. */
export function messageOf(
  { messages }: Redeemkit,
  error: unknown,
  about: userMessage.Options['about'] = 'payment',
): string | undefined {
  return error === null || error === undefined ? undefined : userMessage(error, { messages, about })
}

/**
 * The pinned chains, other than one, that the wagmi config has a client for: the order is read there, too, before the wallet is
 * asked. Chains with random nonces have no orders.
 */
export function otherChainsOf(config: Config, { pins }: Redeemkit, chainId: number): readonly OtherChain[] {
  return pins
    .filter((pin) => pin.chainId !== chainId && pin.intentBound !== false)
    .filter((pin) => config.chains.some(({ id }) => id === pin.chainId))
    .map(({ chainId: other, creditsContract, formerContracts }) => ({
      publicClient: config.getClient({ chainId: other }),
      chainId: other,
      creditsContract,
      formerContracts,
    }))
}

/**
 * What the kit trusts on a chain.
 *
 * @throws {@link PinsRequiredError} for a chain that it does not pin
 */
export function pinOf({ pins }: Redeemkit, chainId: number): ChainPins {
  const found = pins.find((pin) => pin.chainId === chainId)
  if (found !== undefined) return found
  throw new PinsRequiredError(`Nothing is pinned on chain ${chainId}.`, {
    field: 'chainId',
    fix: `Pin that chain in createRedeemkit, or use ${pins.map((pin) => pin.chainId).join(' or ')}.`,
  })
}

export declare namespace pinOf {
  type ErrorType = PinsRequiredError
}

/**
 * Where the kit keeps purchases; `undefined` stands for this process. The page's storage is looked for when it is needed: on a
 * server there is none, and a page may be denied it.
 */
export function storageOf({ storage }: Redeemkit): PurchaseStorage | undefined {
  if (storage !== undefined) return storage ?? undefined
  return globalThis.document === undefined ? undefined : pageStorage
}

/** One that a page is denied says so when it is asked, and redeem says what that means. */
const pageStorage: PurchaseStorage = {
  getItem: (key) => globalThis.localStorage.getItem(key),
  setItem: (key, value) => globalThis.localStorage.setItem(key, value),
  removeItem: (key) => globalThis.localStorage.removeItem(key),
  keys: () =>
    Array.from({ length: globalThis.localStorage.length }, (_, at) => globalThis.localStorage.key(at) ?? ''),
}
