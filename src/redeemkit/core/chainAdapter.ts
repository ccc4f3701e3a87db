import type { Blockchain, ChainFamily } from './blockchains.ts'
import type { Clock } from './time/clock.ts'

/** What `GET /api/auth` answers (PROTOCOL.md 2.4). */
export type AuthChallenge = {
  /** Text for the wallet to sign. */
  message: string
  /** A transaction for wallets that cannot sign text: Solana base58, Stellar base64 XDR. Never valid on chain. */
  transaction?: string | undefined
}

/** What a sign-in challenge is held against before anything is signed. */
export type AuthExpectation = {
  /** Hosts (with port, when there is one) that may stand in the message: the service's own, or the page's. */
  domains: readonly string[]
  /** Takes a message that has no known format. Default false. */
  allowPlainText?: boolean | undefined
  now?: Clock | undefined
}

/** A signed challenge, as it travels in the signed-message header. */
export type SignedAuth = {
  /** The header's value. A credential: never log it. */
  signedMessage: string
  /** Unix seconds from which on it is worthless, when the message says so. */
  expiresAt?: number | undefined
}

/**
 * One wallet on one chain, for folders that know no chain.
 *
 * `login(client, { adapter })` is written once against this type; each chain's entry point makes one
 * (`evmAdapter`, `solanaAdapter`, `stellarAdapter`). What a chain cannot do is absent from its adapter's type.
 */
export type ChainAdapter<
  family extends ChainFamily = ChainFamily,
  blockchain extends Blockchain = Blockchain,
> = {
  readonly family: family
  readonly blockchain: blockchain
  /** The wallet's address in the chain's canonical text. Asks the wallet when it has to. */
  getAddress: () => Promise<string>
  /**
   * Checks the challenge against the expectation and this wallet, and only then asks the wallet to sign.
   *
   * Rejects with the chain's typed error, before any prompt, when the challenge is not what it must be.
   */
  signAuthMessage: (challenge: AuthChallenge, expectation: AuthExpectation) => Promise<SignedAuth>
  /** Whether `signed` is this wallet's signature of the challenge, which is the expected one when `expectation` says which. */
  verifyAuthMessage: (
    challenge: AuthChallenge,
    signed: SignedAuth,
    expectation?: AuthExpectation,
  ) => Promise<boolean>
}
