/**
 * The smallest thing that reads a chain: a viem client and any EIP-1193 provider are one.
 *
 * Only reading methods are called: `eth_call`, `eth_getCode`.
 */
export type EvmClient = {
  request(request: { method: string; params?: unknown }): Promise<unknown>
}
