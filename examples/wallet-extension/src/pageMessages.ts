/** Messages between a page's provider, the content script and the worker. Everything in them comes from the page. */

export const channel = 'redeemkit-wallet'

/** A request as the provider sends it: `text` is the JSON of `{ method, params }`. */
export type PageRequest = { id: string; text: string }

export type PageAnswer = { id: string; result: unknown } | { id: string; error: PageError }

/** An error of EIP-1193, EIP-1474 or JSON-RPC. `data` comes from the node, such as the reason of a revert. */
export type PageError = { code: number; message: string; data?: unknown }

export type PageEvent = {
  event: 'accountsChanged' | 'chainChanged' | 'disconnect'
  value: unknown
}

/** Maximum length of a request, in characters of JSON. An intent has at most 64 KiB, and typed data rarely exceeds 20 KiB. */
export const longestRequest = 256 * 1024

export const mostUnanswered = 100

/** The wallet's errors, by meaning. EIP-5792 defines the codes from 5700 on. */
export const pageErrors = {
  rejected: { code: 4001, message: 'The user rejected the request.' },
  unauthorized: {
    code: 4100,
    message: 'The site is not connected to this account. Call eth_requestAccounts.',
  },
  unsupportedMethod: { code: 4200, message: 'The wallet does not support this method.' },
  disconnected: { code: 4900, message: 'The wallet was closed or updated. Reload the page.' },
  chainDisconnected: { code: 4901, message: 'The wallet has no node for this chain.' },
  unknownChain: { code: 4902, message: 'The wallet does not know this chain.' },
  unsupportedCapability: {
    code: 5700,
    message: 'The wallet does not support a capability that is not marked as optional.',
  },
  unsupportedChain: { code: 5710, message: 'The wallet does not support this chain.' },
  duplicateId: { code: 5720, message: 'The site has used this id for another batch of calls.' },
  unknownBundle: { code: 5730, message: 'No batch of calls with this id was sent for this site.' },
  bundleTooLarge: { code: 5740, message: 'The batch has more calls than the wallet sends in one batch.' },
  atomicityNotSupported: {
    code: 5760,
    message: 'The wallet sends the calls one after another, not atomically.',
  },
  invalidRequest: {
    code: -32600,
    message: 'The request must be an object with a method and, optionally, params.',
  },
  invalidParams: { code: -32602, message: 'The params are invalid.' },
  internal: { code: -32603, message: 'The wallet could not answer the request.' },
  pending: { code: -32002, message: 'A request of this site to connect is already open in the wallet.' },
  tooMany: { code: -32005, message: 'Too many requests are open. Wait until the wallet has answered them.' },
} as const satisfies Record<string, PageError>

/** An error whose code and message the page may see. */
export class PageRequestError extends Error {
  override readonly name = 'PageRequestError'
  readonly code: number
  readonly data: unknown

  constructor(
    kind: keyof typeof pageErrors,
    message: string = pageErrors[kind].message,
    { code = pageErrors[kind].code, data }: { code?: number; data?: unknown } = {},
  ) {
    super(message)
    this.code = code
    this.data = data
  }
}
