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
