import type { Address, Hex } from 'viem'
import type { EvmBlockchain } from '../core/blockchains.ts'
import type { Finding } from '../core/finding/finding.ts'
import type { RedeemPins } from '../evm/creditPermit/inspectOptions.ts'
import type { RedeemRequest } from '../evm/creditPermit/redeemIntent.ts'
import type { UsdcAuthorizationType } from '../evm/usdcAuthorization/usdcAuthorization.ts'
import type { CreditsAuthMsgResponse } from '../schema/creditsAuthMsg.ts'
import type { SignedMessages } from '../schema/signedMessages.ts'

export type { RedeemPins, RedeemRequest }

/** Everything that a redeem is made of before the service is asked: chosen or pinned by the caller. */
export type RedeemTerms = {
  readonly merchantId: string
  readonly blockchain: EvmBlockchain
  readonly chainId: number
  readonly wallet: Address
  readonly request: RedeemRequest
  readonly pinned: {
    readonly [pin in Exclude<
      keyof RedeemPins,
      'bridgeAdapter' | 'chainId' | 'formerContracts' | 'intentBound' | 'usdcAuthorizationType'
    >]-?: Exclude<RedeemPins[pin], undefined>
  } & {
    /** There only for a service that knows no bound nonces. */
    readonly intentBound?: false
    readonly usdcAuthorizationType?: UsdcAuthorizationType
  }
  /** The merchant's order id, when the caller gave one. */
  readonly purchaseId?: string
  /** 12 bytes, the first of the nonce: the order that this pays for. By merchant and `purchaseId`, or random. */
  readonly orderKey: Hex
  /** 32 random bytes that this client drew. Services with random nonces never receive salt and order key. */
  readonly salt: Hex
  /** What a `decent` redeem commits to, pinned or read from the pinned contract. */
  readonly bridgeAdapter?: Address
}

/** EIP-712 typed data as `eth_signTypedData_v4` takes it: integers are decimal text. */
export type TypedDataJson = {
  readonly domain: Readonly<Record<string, unknown>>
  readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>
  readonly primaryType: string
  readonly message: Readonly<Record<string, string>>
}

/** What follows from the terms and the service's answer, once every check has passed. */
export type RedeemDerived = {
  /** What the redeem spends, raw units as decimal text; 1 USD is `"1000000"`. */
  readonly amount: string
  /** Part of `amount` that the customer pays in USDC. */
  readonly usdcAmount: string
  /** The most that is charged for gas. */
  readonly gasFee: string
  /** Whether the nonce commits to what is executed. */
  readonly bound: boolean
  /** What the wallet is asked to sign. */
  readonly typedData: { readonly creditPermit: TypedDataJson; readonly usdcAuthorization?: TypedDataJson }
  /** One sentence for the customer. */
  readonly summary: string
  /** Those of the dry run first. */
  readonly findings: readonly Finding[]
  /** What the dry run found on the caller's own node, when one was asked for. It holds for that moment. */
  readonly dryRun?: readonly Finding[]
}

/**
 * A redeem that passed every check and waits for its signature. Plain data: survives `JSON.stringify`, a page reload
 * and `structuredClone`.
 */
export type PreparedRedeem = RedeemTerms &
  RedeemDerived & {
    readonly version: 1
    /** What the service answered, in its own words. */
    readonly answer: CreditsAuthMsgResponse
    /** Tells a change of any field. No seal: whoever can write to the storage can compute it anew. */
    readonly checksum: Hex
  }

/** A signed redeem. Plain data. Whoever holds it can execute this redeem, and nothing else. */
export type SignedRedeem = {
  readonly version: 1
  readonly prepared: PreparedRedeem
  readonly signedMessages: SignedMessages
}

/** A redeem that the service has accepted. Plain data; `waitForRedeem` and `findRedeem` take it as it is. */
export type SubmittedRedeem = {
  readonly version: 1
  /** The transaction as first broadcast, by the service's word. A fee replacement changes it. */
  readonly hash: Hex
  readonly wallet: Address
  readonly nonce: Hex
  readonly creditsContract: Address
  readonly chainId: number
  /** Unix seconds from which on the permit is dead. */
  readonly validBefore: string
  /** There when the nonce commits to nothing: then the hash is what is followed. */
  readonly intentBound?: false | undefined
}
