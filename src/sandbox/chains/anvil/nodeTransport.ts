import { custom, RpcRequestError, type Transport } from 'viem'
import type { Pipe } from './connectPipe.ts'

/** A viem transport over Anvil's own socket: without a port, and without the rules that others' calls go through. */
export function nodeTransport(node: Pick<Pipe, 'ask'>): Transport {
  return custom({ request: nodeRequest(node) }, { key: 'anvil', name: 'Anvil socket', retryCount: 0 })
}

/** As a provider is asked (EIP-1193); an answer that is an error is thrown as viem throws those of a node. */
export function nodeRequest({
  ask,
}: Pick<Pipe, 'ask'>): (call: { method: string; params?: unknown }) => Promise<unknown> {
  return async ({ method, params = [] }) => {
    const { result, error } = JSON.parse(`{${await ask(method, params)}`)
    if (error === undefined) return result
    throw new RpcRequestError({ body: { method, params }, error, url: 'anvil' })
  }
}

export declare namespace nodeRequest {
  type ErrorType = RpcRequestError
}
