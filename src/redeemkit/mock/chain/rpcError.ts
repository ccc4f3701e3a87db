import type { Hex } from 'viem'

/** What a node or a wallet refuses a request with (EIP-1193, EIP-1474): a code, words, and of a revert the bytes that it left. */
export function rpcError(code: number, message: string, data?: Hex): Error {
  return Object.assign(new Error(message), { code, ...(data && { data }) })
}
