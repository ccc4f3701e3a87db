import type { Blockchain, ChainFamily } from './blockchains.ts'
import type { Clock } from './clock.ts'

/** The response of `GET /api/auth` (PROTOCOL.md 2.4). */
export type AuthChallenge = {
  /** The text that the wallet must sign. */
  message: string
  /** For wallets that cannot sign text: a transaction that can never execute (Solana: base58, Stellar: base64 XDR). */
  transaction?: string | undefined
}

/** The values that a sign-in challenge must match before it is signed. */
export type AuthExpectation = {
  /** Hosts that the message may name, each with its port if it has one: the service's host, or the page's. */
  domains: readonly string[]
  /** Accepts a message in an unknown format. Default false. */
  allowPlainText?: boolean | undefined
  now?: Clock | undefined
}

/** A signed challenge, as sent in the signed-message header. */
export type SignedAuth = {
  /** The value of the signed-message header. It is a credential: never log it. */
  signedMessage: string
  /** Unix seconds at which the signed message expires, if it has an expiry. */
  expiresAt?: number | undefined
}

/**
 * A wallet on one chain, with the same interface for every chain.
 *
 * `evmAdapter`, `solanaAdapter` and `stellarAdapter` create adapters; `login(client, { adapter })` takes one. An adapter's type does not
 * have operations that its chain does not support.
 */
export type ChainAdapter<
  family extends ChainFamily = ChainFamily,
  blockchain extends Blockchain = Blockchain,
> = {
  readonly family: family
  readonly blockchain: blockchain
  /** Returns the wallet's address in the chain's canonical format. May ask the wallet. */
  getAddress: () => Promise<string>
  /**
   * Compares the challenge with the expectation and with this wallet, then asks the wallet to sign it.
   *
   * Throws one of the chain's errors for an invalid challenge, before any prompt.
   */
  signAuthMessage: (challenge: AuthChallenge, expectation: AuthExpectation) => Promise<SignedAuth>
  /** Returns whether this wallet signed the challenge. Also compares a Stellar challenge transaction with `expectation`. */
  verifyAuthMessage: (
    challenge: AuthChallenge,
    signed: SignedAuth,
    expectation?: AuthExpectation,
  ) => Promise<boolean>
}
