import * as z from 'zod/mini'
import { oneOf } from './oneOf.ts'
import { kindOf, type TransactionDataKind, wireTypes } from './transactionDataKind.ts'
import { evmAddress, hexData, type SchemaOf, safeUint, tokenId, uintText } from './values.ts'

/** A contract call without native coin (PROTOCOL.md 6.2). */
const transaction = z.strictObject({
  /** Must be on the merchant's whitelist. */
  to: evmAddress,
  data: hexData,
})

/** Tells the service that the page waits for the transaction's hash. It has no other effect. */
const waitForHash = z.optional(z.boolean())

/** Shape `safeMint` (PROTOCOL.md 6.2 and 11.6): the call mints to its caller, which receives the tokens in its receiver hook. */
export const safeMint = z.strictObject({
  type: z.literal('safeMint'),
  transaction,
  waitForHash,
  nftContract: z.optional(evmAddress),
})
export type SafeMint = z.infer<typeof safeMint>

/** Shape `returned` (PROTOCOL.md 6.2 and 11.6): the call transfers a token to its caller and returns the token's id. */
export const returned = z.strictObject({
  type: z.literal('returned'),
  transaction,
  waitForHash,
  nftContract: z.optional(evmAddress),
})
export type Returned = z.infer<typeof returned>

/** Shape `knownTokenId` (PROTOCOL.md 6.2 and 11.6): without `type`, with an NFT contract and a token id. */
export const knownTokenId = z.strictObject({
  type: z.optional(z.never()),
  transaction,
  nftContract: evmAddress,
  nftId: tokenId,
  waitForHash,
})
export type KnownTokenId = z.infer<typeof knownTokenId>

/** Shape `normal` (PROTOCOL.md 6.2 and 11.6): without `type`, only a call. */
export const normal = z.strictObject({
  type: z.optional(z.never()),
  transaction,
  waitForHash,
})
export type Normal = z.infer<typeof normal>

/** Shape `token` (PROTOCOL.md 6.2 and 11.6): pays USDC to an address. */
export const token = z.strictObject({
  type: z.literal('token'),
  destination: evmAddress,
  waitForHash,
})
export type Token = z.infer<typeof token>

const zeroAddress = '0x0000000000000000000000000000000000000000'

/** Shape `decent` (PROTOCOL.md 6.2 and 11.6): a call on another chain, through the bridge adapter. */
export const decent = z
  .strictObject({
    type: z.literal('decent'),
    dstChainId: safeUint.check(z.positive('expected a chain id above 0')),
    /** Token on the destination chain; the zero address for that chain's native coin. */
    dstToken: evmAddress,
    contractAddress: evmAddress,
    contractData: hexData,
    cost: z.strictObject({
      isNative: z.boolean(),
      /** Raw units of `dstToken`, as decimal text. */
      amount: uintText,
    }),
    waitForHash,
  })
  .check(
    z.refine((record) => !record.cost.isNative || record.dstToken === zeroAddress, {
      path: ['dstToken'],
      error: 'expected the zero address, because cost.isNative is true',
    }),
  )
export type Decent = z.infer<typeof decent>

const shapes = { safeMint, returned, token, decent, knownTokenId, normal } satisfies Record<
  TransactionDataKind,
  z.core.$ZodType
>

export type TransactionDataOf<kind extends TransactionDataKind> = z.infer<(typeof shapes)[kind]>

export type TransactionData = SafeMint | Returned | Token | Decent | KnownTokenId | Normal

/**
 * What a redeem executes: one of the transactionData shapes (PROTOCOL.md 6.2 and 11.6). A field that the shape does not have, such as
 * `value`, is an error.
 */
export const transactionData: SchemaOf<TransactionData> = oneOf(shapes, {
  pick: kindOf,
  by: 'type',
  values: wireTypes,
})
