import { networks } from 'redeemkit/evm'
import { type Hex, hexToNumber, isHex } from 'viem'
import { AskError, type Network } from '../messages.ts'
import { PageRequestError } from '../pageMessages.ts'
import type { Store } from './openStore.ts'
import type { Platform } from './platform.ts'

export type Networks = ReturnType<typeof createNetworks>

const timeoutMs = 20_000

export function createNetworks(store: Store, platform: Pick<Platform, 'fetch'>) {
  const list = (): Network[] =>
    networks.map(({ chainId, name, blockchain, environment, coin }) => ({
      chainId,
      name,
      blockchain,
      environment,
      rpcUrl: store.get('nodes')[chainId],
      coin,
    }))

  async function ask(rpcUrl: string, method: string, params: unknown): Promise<unknown> {
    let body: { result?: unknown; error?: { code?: unknown; message?: unknown; data?: unknown } | null }
    try {
      const response = await platform.fetch(rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        credentials: 'omit',
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
      body = await response.json()
    } catch {
      // The cause is left out, because it contains the node's address, which can contain a key.
      throw new PageRequestError('chainDisconnected', 'The node of this chain does not respond.')
    }
    // Some nodes send `null` with a result.
    if (body.error === undefined || body.error === null) return body.result
    const { code, message, data } = body.error
    throw new PageRequestError('internal', String(message).slice(0, 500), {
      ...(Number.isInteger(code) && { code: Number(code) }),
      data,
    })
  }

  function nodeOf(chainId: number): {
    request: (call: { method: string; params?: unknown }) => Promise<unknown>
  } {
    const rpcUrl = store.get('nodes')[chainId]
    if (rpcUrl === undefined) throw new PageRequestError('chainDisconnected')
    return { request: ({ method, params }) => ask(rpcUrl, method, params ?? []) }
  }

  return {
    list,
    isKnown: (chainId: number): boolean => networks.some((one) => one.chainId === chainId),
    /** An EIP-1193 client of the chain's node. Throws 4901 if the chain has no node. */
    nodeOf,
    hasNode: (chainId: number): boolean => store.get('nodes')[chainId] !== undefined,
    /** Whether the chain runs on this machine. No block explorer shows it. */
    isLocal: (chainId: number): boolean => {
      const { hostname } = new URL(store.get('nodes')[chainId] ?? 'https://node.invalid')
      return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
    },

    /** Fails with `invalidNode` if the node does not respond, or serves another chain. */
    checkNode: async (chainId: number, rpcUrl: string): Promise<void> => {
      if (!URL.canParse(rpcUrl) || !/^https?:$/.test(new URL(rpcUrl).protocol))
        throw new AskError('invalidNode', 'This is not an HTTP URL.')
      const served = await ask(rpcUrl, 'eth_chainId', []).catch(() => {
        throw new AskError('invalidNode', 'The node does not respond.')
      })
      if (!isHex(served) || hexToNumber(served as Hex) !== chainId)
        throw new AskError('invalidNode', 'The node serves another chain.')
    },
  }
}
