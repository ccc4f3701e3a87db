/** The contract that settles payments on Stellar, and the account whose USDC it spends. */
export type StellarSettlementOptions = {
  /** `C…` */
  contract: string
  /** Secret key (`S…`) of the contract's operator, which pays the fees, too. */
  operatorKey: string
}

/** Settles payments on Stellar (PROTOCOL.md 10.2). */
export type StellarSettlement = {
  /** `C…`: who gives merchant contracts their allowance. */
  contract: string
  /** Address of the operator: one transaction of its own at a time. */
  operator: string
  /**
   * The call that a checkout's `stellarTransaction` names.
   *
   * @throws PaymentNotSettledError for what names none, or one that no payment may make
   */
  readCall: (transaction: string) => StellarCall
  /**
   * Rehearses a payment, and signs it.
   *
   * @returns undefined when it has been settled already
   * @throws PaymentNotSettledError when it would fail
   */
  prepare: (payment: StellarPayment) => Promise<{ raw: string; hash: string } | undefined>
  /** Sends what was signed, and looks what became of it; again, if need be. */
  send: (signed: { raw: string; hash: string }) => Promise<StellarOutcome>
}

/** What a payment does. `amount` is in raw units of 7 decimals. */
export type StellarPayment = { paymentId: string; amount: bigint } & ({ to: string } | { call: StellarCall })

/** A call of a merchant contract: arguments as base64 XDR of each. */
export type StellarCall = { contract: string; functionName: string; args: readonly string[] }

/** `dropped`: it has not landed and never will. `unknown`: ask again. */
export type StellarOutcome = 'settled' | 'failed' | 'dropped' | 'unknown'
