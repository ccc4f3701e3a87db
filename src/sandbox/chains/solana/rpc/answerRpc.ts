import { BaseError } from '../../../../redeemkit/core/errors/baseError.ts'
import type { Node } from '../openNode.ts'
import { accountMethods } from './accountMethods.ts'
import { chainMethods } from './chainMethods.ts'
import { type Methods, RpcAnswerError } from './params.ts'
import { transactionMethods } from './transactionMethods.ts'

/** Answers a JSON-RPC request or batch; malformed input gets an error response. */
export function answerRpc(methods: Methods, text: string): string {
  let request: unknown
  try {
    request = JSON.parse(text)
  } catch {
    return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } })
  }
  return JSON.stringify(
    Array.isArray(request) ? request.map((one) => answerOne(methods, one)) : answerOne(methods, request),
  )
}

function answerOne(methods: Methods, request: unknown) {
  // Any JSON may arrive; each field is checked before it is used.
  const {
    id = null,
    method,
    params = [],
  } = Object(request) as { id?: unknown; method?: unknown; params?: unknown }
  const base = { jsonrpc: '2.0', id }
  try {
    const call = typeof method === 'string' && Object.hasOwn(methods, method) ? methods[method] : undefined
    if (call === undefined) throw new RpcAnswerError(-32601, 'Method not found')
    if (!Array.isArray(params)) throw new RpcAnswerError(-32602, 'Invalid params: expected an array')
    return { ...base, result: call(params) }
  } catch (error) {
    if (error instanceof RpcAnswerError)
      return { ...base, error: { code: error.code, message: error.message, data: error.data } }
    const message = error instanceof BaseError ? error.shortMessage : 'Internal error'
    return { ...base, error: { code: error instanceof BaseError ? -32602 : -32603, message } }
  }
}

export function rpcMethods(node: Node): Methods {
  return { ...chainMethods(node), ...accountMethods(node), ...transactionMethods(node) }
}
