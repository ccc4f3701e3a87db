import type { Address, Hex } from 'viem'
import type { EvmBlockchain } from '../../core/blockchains.ts'
import type { WireErrorCode } from '../../core/errors/wireErrors.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { RedeemPins } from '../../evm/creditPermit/inspectOptions.ts'
import { orderKeyOf } from '../../evm/creditPermit/orderKey.ts'
import type { Settlement } from '../../evm/transactionData/settlementOf.ts'
import type { SavedCard } from '../../schema/checkout.ts'
import type { Purchase } from '../../schema/purchase.ts'
import type { SubscriptionPlan } from '../../schema/subscription.ts'
import type { MockCall } from './mockCalls.ts'

/**
 * What becomes of one call: an error of the wire by its code, with what belongs to it; or no answer at all. `offline` reaches nobody,
 * `lost` is carried out and its answer never arrives, `hangs` is answered never.
 */
export type MockFault =
  | WireErrorCode
  | 'offline'
  | 'lost'
  | 'hangs'
  | {
      code: WireErrorCode
      message?: string | undefined
      /** As the wire has them for this code: `verificationLink`, `revertReason`, `transactionId` and `url`. */
      details?: Readonly<Record<string, unknown>> | undefined
      retryAfterSeconds?: number | undefined
    }

/** What may be changed while the mock runs. */
export type MockSettings = {
  /** What each wallet has, in US cents. Default 100_000: 1,000 dollars. */
  creditsCents: number
  /** As `creditsCents`, in USDC. */
  usdcCents: number
  /** The gas fee of a redeem, in US cents. A higher one than was prepared is `EXCEEDS_AUTHORIZED` at the submit. Default 3. */
  gasFeeCents: number
  /** The gas fee from the moment on in which the first permit was prepared: a fee that moves. Default: it stays. */
  laterGasFeeCents: number | undefined
  /** How long a permit lives. Default 1,800. */
  permitSeconds: number
  /** How long each answer takes, of the service and of the chain. Default 0. */
  delayMs: number
  /** Nobody is reached, neither service nor chain. */
  offline: boolean
  /** Refuses redeems and balances of a wallet that is not signed in. Default false. */
  needsSignIn: boolean
  /** Every wallet has code: signatures are judged by ERC-1271, and any of them is good. Default false. */
  smartAccounts: boolean
  /**
   * What the chain does with a redeem: `mines` it, lets it wait, reverts it; or it cannot be read at all (`fails`). Default `mines`.
   */
  chain: 'mines' | 'waits' | 'reverts' | 'fails'
  /** How long a redeem takes to be mined. Default 0. */
  minesAfterMs: number
  /** By the name of the call: the same each time, or one for each time it is asked, `undefined` being none; afterwards none. */
  faults: { readonly [call in MockCall]?: MockFault | readonly (MockFault | undefined)[] | undefined }
  plans: readonly SubscriptionPlan[]
  cards: readonly SavedCard[]
}

/** Some of the settings; what is `undefined` stays as it is. */
export type MockChanges = { readonly [name in keyof MockSettings]?: MockSettings[name] | undefined }

/** A call as it arrived. */
export type MockAsk = { call: MockCall; body: unknown }

/** A permit that was prepared: what its nonce stands for. */
export type MockIntent = {
  wallet: Address
  nonce: Hex
  salt: Hex
  amount: bigint
  usdcAmount: bigint
}

/** A redeem that was submitted. */
export type MockRedeem = MockIntent & {
  hash: Hex
  settlement: Settlement
  gasFee: bigint
  submittedAt: number
  /** Unix seconds from which on its permit is dead. */
  validBefore: bigint
  /** Of the block that holds it, once there is one. */
  blockNumber: bigint | undefined
  status: 'pending' | 'mined' | 'reverted'
}

/** All that service and chain of one mock know. */
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
    /** Whom a checkout's USDC goes to. */
    readonly settlementContract: Address
    /** What a `decent` redeem commits to. */
    readonly bridgeAdapter: Address
    readonly startedAt: number
    readonly now: Clock
  }
  settings: MockSettings
  /** What each wallet has, raw units. */
  readonly funds: Map<string, { credits: bigint; usdc: bigint }>
  readonly intents: Map<string, MockIntent>
  readonly redeems: Map<string, MockRedeem>
  /** Orders that were cancelled, with the transaction that did it. */
  readonly cancelled: Map<string, { hash: Hex; nonce: Hex }>
  readonly purchases: Purchase[]
  readonly asked: MockAsk[]
}

/** The attempt of a wallet's order that the chain holds, if it holds one. */
export const minedAttempt = ({ redeems }: MockWorld, wallet: string, nonce: Hex): MockRedeem | undefined =>
  [...redeems.values()].find(
    (one) => one.status === 'mined' && orderOf(one.wallet, one.nonce) === orderOf(wallet, nonce),
  )

/** Under what an order is kept: wallet and order key in one spelling. */
export const orderOf = (wallet: string, nonce: Hex) => keyOf(wallet, orderKeyOf(nonce))

/** Under what a nonce is kept: wallet and nonce in one spelling. */
export const keyOf = (wallet: string, nonce: string) => `${wallet} ${nonce}`.toLowerCase()
