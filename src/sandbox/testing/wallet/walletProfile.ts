import { InvalidOptionError } from '../../../redeemkit/core/errors/inputErrors.ts'
import { showValue } from '../../../redeemkit/core/errors/showValue.ts'

/** What a page asks of a wallet (EIP-1193). */
export type WalletRequest = { method: string; params?: unknown }

/**
 * Answers a request as the wallet does. `honest` answers it, or another request, as a wallet without faults does;
 * `signature` says which signature it is asked for, from 1, and 0 when it is asked for something else.
 */
export type EvmPlay = (
  request: WalletRequest,
  honest: (request?: WalletRequest) => Promise<unknown>,
  signature: number,
) => unknown

/** What a wallet touches of a web3.js `VersionedTransaction`: whoever has no Solana needs none of its types. */
export type AdapterTransaction = {
  version: 'legacy' | number
  message: { serialize: () => Uint8Array; staticAccountKeys: readonly { toBase58: () => string }[] }
  signatures: Uint8Array[]
}

/** What a Solana wallet does to what it is given, and to what it answers. */
type SolanaPlay = {
  /** The transaction that is signed in place of the one that came. */
  transaction?: (transaction: AdapterTransaction) => Promise<AdapterTransaction>
  /** The answer to a text, made of the honest signature. */
  message?: (signature: Uint8Array) => unknown
}

/** What a Stellar wallet makes of the honest answer (SEP-43) to each method. */
type StellarPlay = Partial<
  Record<
    'signMessage' | 'signTransaction',
    (answer: Readonly<Record<string, string>>, request: StellarRequest) => unknown
  >
>

/** What a Stellar wallet is asked to sign, and the key that signs. */
type StellarRequest = { payload: string; sign: (bytes: Uint8Array) => Uint8Array }

type Reported = {
  /** How `fakeWallet` and its siblings are told to play it. */
  name: string
  wallet: string
  /** The public report that it comes from. */
  reported: `https://github.com/${string}`
  /** What the wallet does, in one sentence. */
  what: string
}

export type EvmWalletProfile = Reported & { family: 'evm'; play: EvmPlay }
export type SolanaWalletProfile = Reported & { family: 'solana'; play: SolanaPlay }
export type StellarWalletProfile = Reported & { family: 'stellar'; play: StellarPlay }

/** One misbehaviour of a real wallet. */
export type WalletProfile = EvmWalletProfile | SolanaWalletProfile | StellarWalletProfile

/**
 * The profile of a name; none when no name is given.
 *
 * @throws InvalidOptionError for a name that no profile has
 */
export function findProfile<profile extends { name: string }>(
  profiles: readonly profile[],
  name: string | undefined,
): profile | undefined {
  const found = profiles.find((one) => one.name === name)
  if (found === undefined && name !== undefined)
    throw new InvalidOptionError(`There is no profile ${showValue(name)}.`, {
      field: 'profile',
      fix: `There are ${profiles.map((one) => one.name).join(', ')}.`,
    })
  return found
}

export declare namespace findProfile {
  type ErrorType = InvalidOptionError
}

/** An error as wallets throw it: an `Error` with a code, and with data where there are some (EIP-1193). */
export function walletError(code: number | undefined, message: string, more: object = {}): Error {
  return Object.assign(new Error(message), code === undefined ? more : { code, ...more })
}

/** How the person behind a wallet answers, where a request is shown. */
export type PersonOptions = {
  /** Which requests for a signature a person refuses: one, by its number from 1, or all. Default: none. */
  rejects?: 'first' | 'second' | 'every' | number | undefined
  /** What a refusal rejects with: thrown as it is. Default: the error of the chain's own standard. */
  refusal?: unknown
  /** Milliseconds until a person answers. Default 0. */
  answersAfterMs?: number | undefined
  /** Leaves every request for a signature without an answer. */
  neverAnswers?: boolean | undefined
}

/** What each of the options of a person may be. */
export const personKinds = {
  rejects: 'any',
  refusal: 'any',
  answersAfterMs: 'number?',
  neverAnswers: 'boolean?',
} as const

/**
 * A person who takes a while, never comes back, or says no.
 *
 * @param signature which signature they are asked for, from 1
 * @param usual what a refusal rejects with, unless the options say otherwise
 */
export async function askPerson(options: PersonOptions, signature: number, usual: unknown): Promise<void> {
  const { answersAfterMs = 0, neverAnswers, rejects, refusal = usual } = options
  if (answersAfterMs > 0) await new Promise((resolve) => setTimeout(resolve, answersAfterMs))
  if (neverAnswers === true) await new Promise(() => {})
  const numbers: readonly unknown[] = [signature, ['first', 'second'][signature - 1], 'every']
  if (rejects !== undefined && numbers.includes(rejects)) throw refusal
}
