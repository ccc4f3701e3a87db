import type { PreparedRedeem } from 'redeemkit'
import type { Address, Hex } from 'viem'
import type { PreparedTransaction } from '../messages.ts'
import type { PageDocument } from './platform.ts'

/** A request that waits for the user, or whose answer the page has not confirmed. Plain data: it outlives the worker. */
export type QueueEntry = {
  id: string
  /** The page, and its id of the request; `undefined` for the wallet's own. */
  page: { document: PageDocument; requestId: string } | undefined
  receivedAt: number
  ask: Ask
  /** Set once the user has decided. */
  answer?: Answer | undefined
}

export type Answer = { result: unknown } | { error: { code: number; message: string } }

/** What the user is asked for. */
export type Ask =
  | { kind: 'connect'; isNew: boolean; method: 'eth_requestAccounts' | 'wallet_requestPermissions' }
  | SignAsk

export type SignAsk = { account: Address; chainId: number } & (
  | { kind: 'message'; method: 'personal_sign'; params: readonly unknown[]; data: Hex }
  | { kind: 'typedData'; method: 'eth_signTypedData_v4'; params: readonly unknown[] }
  | ({ kind: 'transaction'; method: 'eth_sendTransaction'; params: readonly unknown[] } & OwnTransaction)
  | ({ kind: 'cancel'; redeemId: string; typedData: unknown; nonce: Hex; to: Address } & OwnTransaction)
  | { kind: 'payLink'; redeem: PreparedRedeem; pinId: string; isNewReceiver: boolean }
)

/** A transaction that the wallet sends. */
type OwnTransaction = {
  prepared: Prepared
  /** The signed transaction, stored before it is sent. From then on only these bytes are sent for the request. */
  signed?: Hex | undefined
}

/** The transaction that was prepared, with all fields that are signed. */
export type Prepared =
  | Exclude<PreparedTransaction, { state: 'ready' }>
  | ({ state: 'ready' } & TransactionFields)

export type TransactionFields = {
  nonce: number
  gas: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  to: Address | undefined
  value: bigint
  data: Hex
}
