import type { Blockchain } from '../../redeemkit/core/blockchains.ts'

/** Sign-in on one family of chains: what a wallet is asked to sign, and whether it did. */
export type AuthVerifier = {
  /** The wallet's address in canonical text; throws a `BaseError` when it is none. */
  parseWallet: (text: string) => string
  /** The challenge (PROTOCOL.md 8). */
  createChallenge: (facts: ChallengeFacts) => Promise<{ message: string; transaction?: string | undefined }>
  /** Whether `signedMessage`, as it came in the header, is the wallet's signature of the challenge. Never throws for garbage. */
  verify: (signed: SignedChallenge) => Promise<boolean>
}

export type ChallengeFacts = {
  blockchain: Blockchain
  wallet: string
  /** Host, with its port when there is one, of the service. */
  domain: string
  uri: string
  /** Alphanumeric, single use. */
  nonce: string
  issuedAt: Date
  expiresAt: Date
}

export type SignedChallenge = {
  blockchain: Blockchain
  wallet: string
  message: string
  transaction: string | undefined
  signedMessage: string
  now: Date
}
