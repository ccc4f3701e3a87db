import type { Environment, EvmBlockchain, Inspection } from 'redeemkit'
import type { Address, Hex } from 'viem'

/**
 * All messages between the wallet's windows and its worker: the name of a request, its content and its answer.
 *
 * Windows send them with `askWorker`, which throws an `AskError` when a request fails. After every change the worker notifies the open
 * windows, which then read the state again (`onChanged`). No answer contains a key, a phrase or a password.
 */
export type Requests = {
  state: { ask: object; answer: WalletState }

  /** Creates the vault from an imported phrase or key, and unlocks it. */
  createVault: { ask: { password: string; secret: Secret }; answer: undefined }
  /** Fails with `wrongPassword`. */
  unlock: { ask: { password: string }; answer: undefined }
  lock: { ask: object; answer: undefined }
  /** Deletes keys, permissions, pins and history. The window asks first. */
  eraseVault: { ask: object; answer: undefined }
  /** Adds a further phrase or key to the vault. Fails with `invalidSecret` or `knownAccount`. */
  importSecret: { ask: { secret: Secret; name?: string | undefined }; answer: Account }
  /** Derives the next account of the first phrase. Fails with `noPhrase`. */
  addAccount: { ask: { name?: string | undefined }; answer: Account }
  renameAccount: { ask: { address: Address; name: string }; answer: undefined }
  /** The account that the popup shows, and that a site's connection preselects. */
  selectAccount: { ask: { address: Address }; answer: undefined }

  approvals: { ask: object; answer: readonly Approval[] }
  /**
   * Approves a request. The worker recomputes the `digests` that the window showed, and fails with `changed` if they differ. In a connect
   * request, `accounts` are the accounts that the site may use, with the preferred account first.
   */
  approve: {
    ask: { id: string; digests: readonly Hex[]; accounts?: readonly Address[] | undefined }
    answer: undefined
  }
  /** Rejects a request, or all requests of its site, including those of the next minute. */
  reject: { ask: { id: string; isForAllOfSite?: boolean | undefined }; answer: undefined }
  /** Closes an approval window that has no request to show. */
  closeEmpty: { ask: { windowId: number }; answer: undefined }

  sites: { ask: object; answer: readonly Site[] }
  /** Replaces the accounts that a site may use. An empty list disconnects the site. */
  setSiteAccounts: { ask: { origin: string; accounts: readonly Address[] }; answer: undefined }

  balances: { ask: { address: Address }; answer: readonly Balance[] }
  redeems: { ask: { address?: Address | undefined }; answer: readonly RedeemEntry[] }
  refreshRedeems: { ask: object; answer: undefined }
  /** Adds a request to cancel an open permit to the queue, and returns its id. */
  cancelPermit: { ask: { redeemId: string }; answer: { approvalId: string } }
  /** Reads a payment link. Fails with `invalidLink`, or with `unknownShop` if no pinned shop matches. */
  readPaymentLink: { ask: { link: string }; answer: PaymentLink }
  /** Asks the service to prepare the link's redeem, adds it to the queue, and returns its id. */
  payLink: { ask: { link: string; account: Address }; answer: { approvalId: string } }

  pins: { ask: object; answer: readonly Pin[] }
  /** Adds a pin, or replaces the pin with this id. Fails with `invalidPin` and the field. */
  savePin: { ask: { pin: Omit<Pin, 'id'> & { id?: string | undefined } }; answer: Pin }
  removePin: { ask: { id: string }; answer: undefined }
  /** Names of addresses, by address in lower case. An empty name removes the entry. */
  names: { ask: object; answer: Readonly<Record<Address, string>> }
  saveName: { ask: { address: Address; name: string }; answer: undefined }
  saveSettings: { ask: Partial<Settings>; answer: undefined }
  /**
   * Sets a network's node; `undefined` removes it. For an address outside this machine, the window first asks Chrome for access
   * (`chrome.permissions.request`). Fails with `invalidNode` if the node does not respond, or serves another chain.
   */
  setNode: { ask: { chainId: number; rpcUrl: string | undefined }; answer: undefined }
}

export type RequestName = keyof Requests

/** Why a request failed. `message` is English; windows show the text of the code. */
export type AskFailure = {
  code:
    | 'locked'
    | 'wrongPassword'
    | 'weakPassword'
    | 'invalidSecret'
    | 'knownAccount'
    | 'noPhrase'
    | 'noVault'
    | 'unknownApproval'
    | 'busy'
    | 'changed'
    | 'refused'
    | 'noFunds'
    | 'failed'
    | 'noAnswer'
    | 'invalidLink'
    | 'unknownShop'
    | 'invalidPin'
    | 'invalidNode'
    | 'invalidRequest'
  message: string
  /** Name of the field, for `invalidPin` and `invalidLink`. */
  field?: string | undefined
}

/** A failure that a window may show. The worker throws it, and `askWorker` throws it again in the window. */
export class AskError extends Error {
  override readonly name = 'AskError'

  constructor(
    readonly code: AskFailure['code'],
    message: string,
    readonly field?: string,
  ) {
    super(message)
  }
}

/** A secret to import: 12 or 24 words, or a private key in hex. */
export type Secret = { kind: 'phrase'; phrase: string } | { kind: 'key'; key: string }

export type WalletState = {
  vault: 'none' | 'locked' | 'unlocked'
  /** Empty while locked. */
  accounts: readonly Account[]
  selected: Address | undefined
  networks: readonly Network[]
  /** The number of waiting requests, also while the wallet is locked. */
  waiting: number
  settings: Settings
}

export type Account = {
  address: Address
  name: string
  /** Whether the account is derived from a phrase or was imported as a key. */
  from: 'phrase' | 'key'
}

export type Settings = {
  /** Minutes without use until the vault locks: 1 to 240. */
  lockAfterMinutes: number
  /** `undefined`: the browser's language. */
  language: 'en' | 'pt-BR' | undefined
  /** `undefined`: the system's theme. */
  theme: 'light' | 'dark' | undefined
}

export type Network = {
  chainId: number
  /** Such as `Base Sepolia`. */
  name: string
  blockchain: EvmBlockchain
  environment: Environment
  /** The node. On a network without one, the wallet signs typed data but sends no transactions. */
  rpcUrl: string | undefined
  /** Name of the coin for gas, such as `ETH`; `undefined` on Tempo, whose fees are paid in tokens. */
  coin: string | undefined
}

/** The requester: a site, as the browser reports it, or the wallet itself (a payment link, a cancellation). */
export type Asker = { kind: 'site'; origin: string } | { kind: 'wallet' }

export type Approval = ConnectApproval | SignApproval

type ApprovalBase = {
  id: string
  asker: Asker
  /** Whether several requests of the site wait, or the user rejected one less than a minute earlier. */
  isInsistent: boolean
  /** Milliseconds since 1970. */
  receivedAt: number
}

export type ConnectApproval = ApprovalBase & {
  kind: 'connect'
  /** Whether the wallet is not connected to this site yet. */
  isNew: boolean
}

/** A request for a signature, or for a transaction that the wallet signs and sends. */
export type SignApproval = ApprovalBase & {
  kind: 'sign'
  method: SigningMethod
  account: Address
  chainId: number
  /** Inspection of the request. With the verdict `refuse`, the window has no sign button. */
  inspection: Inspection
  /** A further part that the same click signs: the USDC authorization of a payment link. */
  also?: Inspection | undefined
  /** Digests that `approve` must pass, in this order. Empty while a transaction is being prepared, and if that fails. */
  digests: readonly Hex[]
  raw: string
  /** Present for transactions that the wallet sends. */
  transaction?: PreparedTransaction | undefined
  /** Names of the trusted shops whose pins list this origin. */
  pinNames: readonly string[]
  /** For payment links: whether the shop's pin does not list the receiver. */
  isNewReceiver?: boolean | undefined
}

type SigningMethod =
  | 'personal_sign'
  | 'eth_signTypedData_v4'
  | 'eth_sendTransaction'
  | 'wallet_sendCalls'
  | 'payLink'
  | 'cancelPermit'

/** The highest fee of all transactions in a request, or the reason why they cannot be sent. */
export type PreparedTransaction =
  | { state: 'preparing' }
  /** `maxFee` is in wei of the network's coin. */
  | { state: 'ready'; maxFee: bigint }
  | { state: 'failed'; reason: string }

export type Site = {
  origin: string
  accounts: readonly Address[]
  chainId: number
  /** Milliseconds since 1970. */
  lastUsedAt: number
}

/** Balances of an account on a network with a node. `undefined` amounts could not be read. */
export type Balance = {
  chainId: number
  /** Raw units of the network's coin (18 decimals); always `undefined` on Tempo. */
  coin: bigint | undefined
  /** Raw units of USDC (6 decimals); `undefined` where the network has none. */
  usdc: bigint | undefined
  /** Credits by pin, in raw units (6 decimals; 1 USD is 1_000_000). */
  credits: readonly { pinId: string; name: string; amount: bigint | undefined }[]
}

export type RedeemEntry = {
  id: string
  account: Address
  chainId: number
  asker: Asker
  /** Milliseconds since 1970. */
  signedAt: number
  /** The permit is invalid from this time on, in unix seconds. */
  validBefore: bigint
  inspection: Inspection
  /**
   * `open`: signed, and may still execute. If it was submitted, it has a `hash`. `otherAttempt`: a different permit paid the
   * order. `unknown`: the chain could not be read.
   */
  outcome: 'open' | 'redeemed' | 'otherAttempt' | 'cancelled' | 'expired' | 'unknown'
  hash: Hex | undefined
  /** `undefined` for a chain on this machine. */
  explorerUrl: string | undefined
}

/** Values that the user trusts: a shop, its credits contract and its receivers. They never come from a page or a link. */
export type Pin = {
  id: string
  name: string
  /** Origins of the shop's pages, such as `https://shop.example`. */
  origins: readonly string[]
  chainId: number
  creditsContract: Address
  creditSeed: string
  merchantId: string
  serviceUrl: string | undefined
  /** Wallets that may be paid. If the list is empty, every payment is `caution`. */
  receivers: readonly Address[]
  maxGasFeeCents: number
}

/**
 * A payment link: `web+redeem:pay?merchant=…&chain=…&to=…&cents=…&order=…`, optionally with `usdcCents`. Contract, credits and
 * service come from the wallet's own pin.
 */
export type PaymentLink = {
  merchantId: string
  pinName: string
  chainId: number
  to: Address
  /** Name of the receiver, if the wallet knows one. */
  toName: string | undefined
  /** Whether the shop's pin does not list the receiver. */
  isNewReceiver: boolean
  cents: number
  usdcCents: number
  purchaseId: string
}
