/**
 * The smallest thing that reads a chain: a viem client and any EIP-1193 provider are one.
 *
 * Only reading methods are called: `eth_call`, `eth_getCode`, and for a redeem the reading of blocks, logs and transactions.
 */
export type EvmClient = {
  request(request: { method: string; params?: unknown }): Promise<unknown>
}

/** Whether it has what is needed of a client. */
export function isClient(value: unknown): value is EvmClient {
  try {
    return typeof Object(value).request === 'function' && !isPaymentsClient(value)
  } catch {
    // a proxy that throws
    return false
  }
}

/** A client of the service has `request` too, and reads no chain. */
const isPaymentsClient = (value: unknown) => Object(value).merchantId !== undefined

/** Why a value is no client, without a word of it: the address of a node may hold a key. */
export function whyNoClient(value: unknown): string {
  let kind = 'an object'
  try {
    if (isPaymentsClient(value)) return 'is a payments client, which reads no chain.'
    kind = kindOf(value)
  } catch {
    // a proxy that throws
  }
  return `is ${kind}, and has no "request" function.`
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  if (value instanceof URL) return 'a URL'
  if (typeof value === 'string')
    return /^(?:https?|wss?):/i.test(value) ? 'the address of a node, as text' : 'text'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

export const clientFix =
  'Give a viem public client, such as createPublicClient({ chain, transport: http(url) }), an EIP-1193 provider, or an object with their request({ method, params }).'
