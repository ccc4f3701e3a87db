import type { PreparedRedeem } from 'redeemkit'
import type { Address, Hex } from 'viem'
import type { PreparedTransaction } from '../messages.ts'
import type { PageDocument } from './platform.ts'

/** A request that waits for the user, or an answer that the page has not confirmed. Plain data, because it is stored. */
export type QueueEntry = {
  id: string
  /** The page, and the request's ID from the page. `undefined` for the wallet's own requests. */
  page: { document: PageDocument; requestId: string } | undefined
  receivedAt: number
  ask: Ask
  answer?: Answer | undefined
}

export type Answer = { result: unknown } | { error: { code: number; message: string } }

export type Ask =
  | { kind: 'connect'; isNew: boolean; method: 'eth_requestAccounts' | 'wallet_requestPermissions' }
  | SignAsk

export type SignAsk = { account: Address; chainId: number } & (
  | { kind: 'message'; method: 'personal_sign'; params: readonly unknown[]; data: Hex }
  | { kind: 'typedData'; method: 'eth_signTypedData_v4'; params: readonly unknown[] }
  | ({ kind: 'transaction'; method: 'eth_sendTransaction'; params: readonly unknown[] } & OwnTransactions)
  | ({
      kind: 'calls'
      method: 'wallet_sendCalls'
      params: readonly unknown[]
      batchId: string
    } & OwnTransactions)
  | ({ kind: 'cancel'; redeemId: string; typedData: unknown; nonce: Hex; to: Address } & OwnTransactions)
  | { kind: 'payLink'; redeem: PreparedRedeem; pinId: string; isNewReceiver: boolean }
)

type OwnTransactions = {
  prepared: Prepared
  /** The signed transactions, stored before they are sent. Afterwards, the wallet sends only these bytes for the request. */
  signed?: readonly Hex[] | undefined
}

/** The prepared transactions with all signed fields, in sending order. */
export type Prepared =
  | Exclude<PreparedTransaction, { state: 'ready' }>
  | { state: 'ready'; transactions: readonly TransactionFields[] }

export type TransactionFields = {
  nonce: number
  gas: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  to: Address | undefined
  value: bigint
  data: Hex
}
