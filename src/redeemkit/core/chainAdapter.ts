import type { Blockchain, ChainFamily } from './blockchains.ts'
import type { Clock } from './clock.ts'

/** The answer of `GET /api/auth` (PROTOCOL.md 2.4). */
export type AuthChallenge = {
  /** Text for the wallet to sign. */
  message: string
  /** For wallets that cannot sign text: a transaction (Solana base58, Stellar base64 XDR) that is never valid on chain. */
  transaction?: string | undefined
}

/** The values that a sign-in challenge must match before it is signed. */
export type AuthExpectation = {
  /** Hosts (with port, if any) that the message may name: the service's or the page's. */
  domains: readonly string[]
  /** Accepts a message in an unknown format. Default false. */
  allowPlainText?: boolean | undefined
  now?: Clock | undefined
}

/** A signed challenge, as sent in the signed-message header. */
export type SignedAuth = {
  /** The header's value. A credential: never log it. */
  signedMessage: string
  /** Unix seconds at which it expires, if the message says so. */
  expiresAt?: number | undefined
}

/**
 * A wallet on one chain, for code that supports every chain.
 *
 * `login(client, { adapter })` uses this type; each chain's entry point creates one (`evmAdapter`, `solanaAdapter`,
 * `stellarAdapter`). Operations that a chain does not support are absent from its adapter's type.
 */
export type ChainAdapter<
  family extends ChainFamily = ChainFamily,
  blockchain extends Blockchain = Blockchain,
> = {
  readonly family: family
  readonly blockchain: blockchain
  /** The wallet's address in the chain's canonical format. May ask the wallet. */
  getAddress: () => Promise<string>
  /**
   * Checks the challenge against the expectation and this wallet, then asks the wallet to sign.
   *
   * Rejects an invalid challenge with the chain's typed error, before any prompt.
   */
  signAuthMessage: (challenge: AuthChallenge, expectation: AuthExpectation) => Promise<SignedAuth>
  /** Whether `signed` is this wallet's signature of the challenge. A Stellar challenge transaction is also compared with `expectation`. */
  verifyAuthMessage: (
    challenge: AuthChallenge,
    signed: SignedAuth,
    expectation?: AuthExpectation,
  ) => Promise<boolean>
}
