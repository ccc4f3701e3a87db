import type { WebSocket } from 'ws'
import { attempt } from '../../../redeemkit/core/attempt.ts'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import type { Node } from './openNode.ts'
import { commitmentOf, configOf, RpcAnswerError } from './params.ts'

type Notify = (result: unknown) => void

export function serveSocket(socket: WebSocket, node: Node, answer: (text: string) => string): void {
  const watches = new Map<number, () => void>()
  let next = 0
  const end = () => {
    for (const stop of watches.values()) stop()
  }
  const write = (message: object) => socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }))
  const follows: Record<string, (params: readonly unknown[], notify: Notify) => () => void> = {
    signature: (params, notify) => followSignature(node, params, notify),
    slot: (_, notify) => followSlots(node, notify),
  }
  socket.on('close', end)
  socket.on('error', end)
  socket.on('message', (raw) => {
    const text = raw.toString()
    const { id, method, params } = requestOf(text)
    const [, what = '', verb] = /^(signature|slot)(Subscribe|Unsubscribe)$/.exec(String(method)) ?? []
    const follow = follows[what]
    if (verb === 'Unsubscribe') {
      const [subscription] = params
      watches.get(Number(subscription))?.()
      if (watches.delete(Number(subscription))) write({ id, result: true })
      else write({ id, error: { code: -32602, message: 'Invalid subscription id.' } })
    } else if (follow !== undefined) {
      const subscription = next++
      try {
        // The subscription id is sent first: a transaction that is already included triggers a notification immediately.
        const pending: unknown[] = []
        let isAnswered = false
        const send = (result: unknown) =>
          write({ method: `${what}Notification`, params: { subscription, result } })
        watches.set(
          subscription,
          follow(params, (result) => (isAnswered ? send(result) : void pending.push(result))),
        )
        write({ id, result: subscription })
        isAnswered = true
        pending.forEach(send)
      } catch (error) {
        if (!(error instanceof RpcAnswerError || error instanceof BaseError)) throw error
        const code = error instanceof RpcAnswerError ? error.code : -32602
        write({ id, error: { code, message: error.message } })
      }
    } else socket.send(answer(text))
  })
}

function followSignature(node: Node, params: readonly unknown[], notify: Notify): () => void {
  const [signature, config] = params
  const commitment = commitmentOf(configOf(config).commitment)
  const look = () => {
    const found = node.find(String(signature), { archive: true, commitment })
    if (found === undefined) return false
    notify({ context: { slot: node.at(commitment).slot }, value: { err: found.err } })
    return true
  }
  if (look()) return () => undefined
  const stop = node.ledger.listen(() => {
    if (look()) stop()
  })
  return stop
}

function followSlots(node: Node, notify: Notify): () => void {
  let last = node.at('processed').slot
  return node.ledger.listen(() => {
    const { slot } = node.at('processed')
    if (slot === last) return
    last = slot
    notify({ parent: slot - 1, root: node.at('finalized').slot, slot })
  })
}

function requestOf(text: string): { id?: unknown; method?: unknown; params: readonly unknown[] } {
  // Each field is checked where it is used, and the error response names the invalid field.
  const { id, method, params } = Object(attempt(() => JSON.parse(text))) as Record<string, unknown>
  return { id, method, params: Array.isArray(params) ? params : [] }
}
