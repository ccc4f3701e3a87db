import { InvalidOptionError } from '../../../redeemkit/core/errors/inputErrors.ts'
import { showValue } from '../../../redeemkit/core/errors/showValue.ts'

/** An EIP-1193 request. */
export type WalletRequest = { method: string; params?: unknown }

/**
 * Handles a request as the wallet does. `honest` handles the request, or a changed one, like a wallet without defects. `signature` is the
 * number of the signature request, starting at 1; it is 0 for other requests.
 */
export type EvmPlay = (
  request: WalletRequest,
  honest: (request?: WalletRequest) => Promise<unknown>,
  signature: number,
) => unknown

/** The part of a web3.js `VersionedTransaction` that the profiles use, so that web3.js's types stay optional. */
export type AdapterTransaction = {
  version: 'legacy' | number
  message: { serialize: () => Uint8Array; staticAccountKeys: readonly { toBase58: () => string }[] }
  signatures: Uint8Array[]
}

/** How a Solana wallet changes requests and responses. */
type SolanaPlay = {
  /** Returns the transaction that the wallet signs instead. */
  transaction?: (transaction: AdapterTransaction) => Promise<AdapterTransaction>
  /** Returns the wallet's response to a message request, given the honest signature. */
  message?: (signature: Uint8Array) => unknown
}

/** How a Stellar wallet changes the honest response (SEP-43) of each method. */
type StellarPlay = Partial<
  Record<
    'signMessage' | 'signTransaction',
    (answer: Readonly<Record<string, string>>, request: StellarRequest) => unknown
  >
>

type StellarRequest = { payload: string; sign: (bytes: Uint8Array) => Uint8Array }

type Reported = {
  /** Name of the profile, which is the value of the option `profile`. */
  name: string
  wallet: string
  /** URL of the public report. */
  reported: `https://github.com/${string}`
  /** The defect, described in one sentence. */
  what: string
}

export type EvmWalletProfile = Reported & { play: EvmPlay }
export type SolanaWalletProfile = Reported & { play: SolanaPlay }
export type StellarWalletProfile = Reported & { play: StellarPlay }

/** A known defect of a real wallet. */
export type WalletProfile =
  | ({ family: 'evm' } & EvmWalletProfile)
  | ({ family: 'solana' } & SolanaWalletProfile)
  | ({ family: 'stellar' } & StellarWalletProfile)

export function findProfile<profile extends { name: string }>(
  profiles: readonly profile[],
  name: string | undefined,
): profile | undefined {
  const found = profiles.find((one) => one.name === name)
  if (found === undefined && name !== undefined)
    throw new InvalidOptionError(`${showValue(name)} is not a profile.`, {
      field: 'profile',
      fix: `Pass one of ${profiles.map((one) => one.name).join(', ')}.`,
    })
  return found
}

/** Creates an error as wallets do (EIP-1193): an `Error` with a code and optional data. */
export function walletError(code: number | undefined, message: string, more: object = {}): Error {
  return Object.assign(new Error(message), code === undefined ? more : { code, ...more })
}

/** How the user of a wallet answers prompts. */
export type UserOptions = {
  /** Prompts that the user rejects: the number of one prompt, starting at 1, or every prompt. Default: none. */
  rejects?: 'first' | 'second' | 'every' | number | undefined
  /** The value that a rejection throws. Default: the error of the chain's standard. */
  refusal?: unknown
  /** Milliseconds until the user answers. Default 0. */
  answersAfterMs?: number | undefined
  /** Whether the wallet never responds to signature requests. */
  neverAnswers?: boolean | undefined
}

export const userKinds = {
  rejects: 'any',
  refusal: 'any',
  answersAfterMs: 'number?',
  neverAnswers: 'boolean?',
} as const

/** `signature` is the number of the signature request, starting at 1. `usual` is the default error for a rejection. */
export async function promptUser(options: UserOptions, signature: number, usual: unknown): Promise<void> {
  const { answersAfterMs = 0, neverAnswers, rejects, refusal = usual } = options
  if (answersAfterMs > 0) await new Promise((resolve) => setTimeout(resolve, answersAfterMs))
  if (neverAnswers === true) await new Promise(() => {})
  const numbers: readonly unknown[] = [signature, ['first', 'second'][signature - 1], 'every']
  if (rejects !== undefined && numbers.includes(rejects)) throw refusal
}
