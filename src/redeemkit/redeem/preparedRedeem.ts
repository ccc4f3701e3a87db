import type { Address, Hex } from 'viem'
import type { EvmBlockchain } from '../core/blockchains.ts'
import type { Finding } from '../core/finding/finding.ts'
import type { RedeemPins } from '../evm/creditPermit/inspectOptions.ts'
import type { RedeemRequest } from '../evm/creditPermit/redeemIntent.ts'
import type { UsdcAuthorizationType } from '../evm/usdcAuthorization/usdcAuthorization.ts'
import type { CreditsAuthMsgResponse, SignedMessages } from '../schema/redeem.ts'

export type { RedeemPins, RedeemRequest }

/** The inputs of a redeem, chosen or pinned by the caller before the first request to the service. */
export type RedeemTerms = {
  readonly merchantId: string
  readonly blockchain: EvmBlockchain
  readonly chainId: number
  readonly wallet: Address
  readonly request: RedeemRequest
  readonly pinned: {
    readonly [pin in Exclude<
      keyof RedeemPins,
      | 'bridgeAdapter'
      | 'chainId'
      | 'formerContracts'
      | 'intentBound'
      | 'usdcAuthorizationType'
      | 'walletFactories'
    >]-?: Exclude<RedeemPins[pin], undefined>
  } & {
    /** Set only for a service with random nonces. */
    readonly intentBound?: false
    readonly usdcAuthorizationType?: UsdcAuthorizationType
  }
  /** The merchant's order id, if the caller passed one. */
  readonly purchaseId?: string
  /** First 12 bytes of the nonce. They identify the order. Derived from the merchant and `purchaseId`, or random. */
  readonly orderKey: Hex
  /** 32 random bytes from this client. Services with random nonces never receive the salt and the order key. */
  readonly salt: Hex
  /** Bridge adapter that a `decent` redeem commits to, pinned or read from the pinned contract. */
  readonly bridgeAdapter?: Address
}

/** EIP-712 typed data for `eth_signTypedData_v4`, with integers as decimal text. */
export type TypedDataJson = {
  readonly domain: Readonly<Record<string, unknown>>
  readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>
  readonly primaryType: string
  readonly message: Readonly<Record<string, string>>
}

/** Values computed from the terms and the service's response after every check has passed. */
export type RedeemDerived = {
  /** Price in raw units as decimal text; 1 USD is `"1000000"`. */
  readonly amount: string
  /** Part of `amount` paid in USDC. */
  readonly usdcAmount: string
  /** Maximum charged for gas. */
  readonly gasFee: string
  /** Whether the nonce commits to the purchase. */
  readonly intentBound: boolean
  /** Typed data for the wallet. */
  readonly typedData: { readonly creditPermit: TypedDataJson; readonly usdcAuthorization?: TypedDataJson }
  /** One sentence for the customer. */
  readonly summary: string
  /** Findings of the dry run first. */
  readonly findings: readonly Finding[]
  /** Findings of the dry run, if one was requested. */
  readonly dryRun?: readonly Finding[]
}

/** A redeem that passed every check and is ready to sign. Plain data: safe for `JSON.stringify`, reloads and `structuredClone`. */
export type PreparedRedeem = RedeemTerms &
  RedeemDerived & {
    readonly version: 1
    /** The service's response. */
    readonly answer: CreditsAuthMsgResponse
    /** Checksum that detects accidental changes only: anyone with write access to the storage can recompute it. */
    readonly checksum: Hex
  }

/** A signed redeem. Plain data. Anyone holding it can execute this redeem, and nothing else. */
export type SignedRedeem = {
  readonly version: 1
  readonly prepared: PreparedRedeem
  readonly signedMessages: SignedMessages
}

/** A redeem that the service has accepted. Plain data; pass it to `waitForRedeem` or `findRedeem`. */
export type SubmittedRedeem = {
  readonly version: 1
  /** Hash of the first transaction, as reported by the service. A fee replacement changes it. */
  readonly hash: Hex
  readonly wallet: Address
  readonly nonce: Hex
  readonly creditsContract: Address
  readonly chainId: number
  /** Unix seconds at which the permit expires. */
  readonly validBefore: string
  /** Set if the nonce is random; `waitForRedeem` then follows the hash. */
  readonly intentBound?: false | undefined
}
