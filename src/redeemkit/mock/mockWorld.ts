import { type Address, type Hex, keccak256, stringToHex } from 'viem'
import { centsToAmount } from '../core/amount.ts'
import type { EvmBlockchain } from '../core/blockchains.ts'
import type { Clock } from '../core/clock.ts'
import type { WireErrorCode } from '../core/errors/wireErrors.ts'
import { permitDefaultSeconds } from '../core/limits.ts'
import type { RedeemPins } from '../evm/creditPermit/inspectOptions.ts'
import { orderKeyOf } from '../evm/creditPermit/orderKey.ts'
import type { Settlement } from '../evm/transactionData/settlementOf.ts'
import type { SavedCard } from '../schema/checkout.ts'
import type { Purchase } from '../schema/purchase.ts'
import type { SubscriptionPlan } from '../schema/subscription.ts'

/**
 * How a call fails: with a wire error by its code, or without a response. `offline` never reaches the service, `lost` is executed
 * but its response never arrives, `hangs` never ends.
 */
export type MockFault =
  | WireErrorCode
  | 'offline'
  | 'lost'
  | 'hangs'
  | {
      code: WireErrorCode
      message?: string | undefined
      /** The details of this code on the wire: `verificationLink`, `revertReason`, `transactionId` and `url`. */
      details?: Readonly<Record<string, unknown>> | undefined
      retryAfterSeconds?: number | undefined
    }

/** Settings that can change while the mock runs. */
export type MockSettings = {
  /** Credits of each wallet, in US cents. Default 100_000: 1,000 dollars. */
  creditsCents: number
  /** USDC of each wallet, in US cents. Same default as `creditsCents`. */
  usdcCents: number
  /**
   * The gas fee of a redeem, in US cents. If it rises after the permit was prepared, submitting fails with `EXCEEDS_AUTHORIZED`.
   * Default 3.
   */
  gasFeeCents: number
  /** The gas fee after the first permit was prepared, to simulate a rising fee. Default: unchanged. */
  laterGasFeeCents: number | undefined
  /** How long a permit is valid, in seconds. Default 1,800. */
  permitSeconds: number
  /** Delay of each response of the service and the chain. Default 0. */
  delayMs: number
  /** Neither the service nor the chain can be reached. Default false. */
  offline: boolean
  /** The service rejects redeems and balance requests of a wallet that is not signed in. Default false. */
  needsSignIn: boolean
  /** Every wallet is a contract, and any signature is valid by ERC-1271. Default false. */
  smartAccounts: boolean
  /** How the chain handles a redeem: mines it, leaves it pending, or reverts it; or `fails`: the chain cannot be read. Default `mines`. */
  chain: 'mines' | 'waits' | 'reverts' | 'fails'
  /** Time until a redeem is mined. Default 0. */
  minesAfterMs: number
  /** Faults by call: one for every request, or a list with one per request, where `undefined` means success. Then requests succeed. */
  faults: { readonly [call in MockCall]?: MockFault | readonly (MockFault | undefined)[] | undefined }
  plans: readonly SubscriptionPlan[]
  cards: readonly SavedCard[]
}

/** Changed settings. `undefined` keeps the current value. */
export type MockChanges = { readonly [name in keyof MockSettings]?: MockSettings[name] | undefined }

/** A received call. */
export type MockAsk = { call: MockCall; body: unknown }

/** A prepared permit, and what its nonce commits to. */
export type MockIntent = {
  wallet: Address
  nonce: Hex
  salt: Hex
  amount: bigint
  usdcAmount: bigint
}

export type MockRedeem = MockIntent & {
  hash: Hex
  settlement: Settlement
  gasFee: bigint
  submittedAt: number
  /** Unix seconds at which its permit expires. */
  validBefore: bigint
  /** The block that contains it, once mined. */
  blockNumber: bigint | undefined
  status: 'pending' | 'mined' | 'reverted'
}

export type MockWorld = {
  readonly terms: {
    readonly baseUrl: string
    readonly merchantId: string
    readonly blockchain: EvmBlockchain
    readonly chainId: number
    readonly pinned: RedeemPins & {
      readonly chainId: number
      readonly domainName: string
      readonly domainVersion: string
    }
    readonly usdc: Address | undefined
    /** Receiver of a checkout's USDC. */
    readonly settlementContract: Address
    /** Target that a `decent` redeem commits to. */
    readonly bridgeAdapter: Address
    readonly startedAt: number
    readonly now: Clock
  }
  settings: MockSettings
  /** Balances of each wallet, in raw units. */
  readonly funds: Map<string, { credits: bigint; usdc: bigint }>
  readonly intents: Map<string, MockIntent>
  readonly redeems: Map<string, MockRedeem>
  readonly cancelled: Map<string, { hash: Hex; nonce: Hex }>
  readonly purchases: Purchase[]
  readonly asked: MockAsk[]
}

export const minedAttempt = ({ redeems }: MockWorld, wallet: string, nonce: Hex): MockRedeem | undefined =>
  [...redeems.values()].find(
    (one) => one.status === 'mined' && orderOf(one.wallet, one.nonce) === orderOf(wallet, nonce),
  )

/** Wallet and order key in lower case. */
export const orderOf = (wallet: string, nonce: Hex) => keyOf(wallet, orderKeyOf(nonce))

export const keyOf = (wallet: string, nonce: string) => `${wallet} ${nonce}`.toLowerCase()

/** The calls that the mock supports: those of a page to the service, and to the merchant's server (`createMerchantHandler`). */
// biome-ignore format: names only, which read better in rows
export const mockCalls = [
  'getAuthMessage', 'verifyAuth', 'getSessionKey', 'creditsAuthMsg', 'sendGaslessTx', 'getBalances',
  'getContractAddress', 'usdcAuthorization', 'getTotals', 'cardCheckout', 'savedCardCheckout',
  'zeroAuthorization', 'wireTokenCheckout', 'pixCheckout', 'mobileAppCheckout', 'getSavedCards',
  'getPurchases', 'getPlans', 'purchaseSubscription',
] as const

/** The name of a call, as in `endpoints` of `redeemkit/schema`. */
export type MockCall = (typeof mockCalls)[number]

/** In raw units. A new wallet starts with the balances in the settings. */
export function fundsOf(world: MockWorld, wallet: string): { credits: bigint; usdc: bigint } {
  const key = wallet.toLowerCase()
  const { creditsCents, usdcCents } = world.settings
  const funds = world.funds.get(key) ?? {
    credits: centsToAmount(creditsCents),
    usdc: centsToAmount(usdcCents),
  }
  world.funds.set(key, funds)
  return funds
}

export function withoutUndefined<changes extends object>(
  changes: changes,
): { [name in keyof changes]?: Exclude<changes[name], undefined> } {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as ReturnType<typeof withoutUndefined<changes>> // the type names the entries that remain
}

export const hashOf = (text: string): Hex => keccak256(stringToHex(text))

export const defaultSettings: MockSettings = {
  creditsCents: 100_000,
  usdcCents: 100_000,
  gasFeeCents: 3,
  laterGasFeeCents: undefined,
  permitSeconds: permitDefaultSeconds,
  delayMs: 0,
  offline: false,
  needsSignIn: false,
  smartAccounts: false,
  chain: 'mines',
  minesAfterMs: 0,
  faults: {},
  plans: [
    {
      id: 'mock-plan-1',
      name: 'Monthly',
      code: 'monthly',
      interval: 'Monthly',
      amount: { cents: 999, currency: 'USD' },
      active: true,
      description: 'Cancel whenever you like.',
    },
    {
      id: 'mock-plan-2',
      name: 'Yearly',
      code: 'yearly',
      interval: 'Yearly',
      amount: { cents: 9_900, currency: 'USD' },
      active: true,
    },
  ],
  cards: [{ token: 'mock-card-1', lastFour: '4242', firstSix: '424242', expMonth: '12', expYear: '2034' }],
}
