import type { xdr } from '@stellar/stellar-sdk'
import type { StellarMemo } from '../envelope/toMemo.ts'

/** A USDC payment, as a classic operation or as `transfer` of USDC's contract. */
export type ExpectedPayment = {
  kind: 'payment'
  /** `G…`, `C…`, or `M…`, the address of an account with a number in it (SEP-23). */
  to: string
  /** Raw units of 7 decimals: 1 USDC is `10_000_000n`. */
  amount: bigint
}

/** A call of a merchant contract, and the USDC that it may take from the customer. */
export type ExpectedCall = {
  kind: 'call'
  /** `C…` */
  contract: string
  functionName: string
  /** The arguments, as values of the SDK or as base64 XDR of each. */
  args: readonly (xdr.ScVal | string)[]
  /** The one USDC transfer from the customer inside the call. Absent: the call takes nothing. */
  spends?: { to: string; amount: bigint } | undefined
}

/** What a transaction must do: this and nothing else. */
export type ExpectedTransaction = (ExpectedPayment | ExpectedCall) & {
  /** The customer, whose money or authorization it is. */
  from: string
  /** Who pays the network fee. Absent: the customer. */
  sponsor?: string | undefined
  /**
   * How the sponsor pays. `source`, the default: as the transaction's source, so that the customer cannot be made to pay.
   * `feeBump`: the customer is the source and signs first; should the sponsor never wrap it, the customer pays the fee.
   */
  sponsorAs?: 'source' | 'feeBump' | undefined
  /** Text of at most 28 bytes, such as a payment id; or an id or a hash, as exchanges give them. Absent: no memo. */
  memo?: StellarMemo | undefined
}

/** The account of a customer without XLM: created at the sponsor's cost unless it is there, with a trustline to USDC (CAP-33). */
export type ExpectedAccount = Pick<ExpectedTransaction, 'from' | 'memo' | 'sponsorAs'> & {
  kind: 'account'
  /** Whether it is created, too. */
  creates: boolean
  /** Who pays the network fee, and keeps the reserves. */
  sponsor: string
}

/** Whatever may be expected of a request. */
export type Expectation = ExpectedTransaction | ExpectedAccount
