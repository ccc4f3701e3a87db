import type { Blockchain } from '../../redeemkit/core/blockchains.ts'

export type AuthVerifier = {
  /** Returns the canonical text. Throws a `BaseError` if the address is invalid. */
  parseWallet: (text: string) => string
  createChallenge: (facts: ChallengeFacts) => Promise<{ message: string; transaction?: string | undefined }>
  /** Whether `signedMessage`, from the header, is the wallet's signature of the challenge. Invalid input returns false. */
  verify: (signed: SignedChallenge) => Promise<boolean>
}

type ChallengeFacts = {
  blockchain: Blockchain
  wallet: string
  /** The service's host, with the port if the URL has one. */
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

export const signInStatement = 'Sign in to the payments service. This is free and moves no funds.'
