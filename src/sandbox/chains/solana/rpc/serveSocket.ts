import type { WebSocket } from 'ws'
import type { Ledger } from '../createLedger.ts'

/** Answers a websocket as it answers HTTP, and follows the signatures that it is asked to follow. */
export function serveSocket(socket: WebSocket, ledger: Ledger, answer: (text: string) => string): void {
  const watches = new Map<number, () => void>()
  let next = 0
  const end = () => {
    for (const stop of watches.values()) stop()
  }
  socket.on('close', end)
  socket.on('error', end)
  socket.on('message', (raw) => {
    const text = raw.toString()
    let request: { id?: unknown; method?: unknown; params?: unknown } = {}
    try {
      request = Object(JSON.parse(text))
    } catch {
      // `answer` below says what is wrong with it.
    }
    const [first] = Array.isArray(request.params) ? request.params : []
    const reply = (result: unknown) => socket.send(JSON.stringify({ jsonrpc: '2.0', id: request.id, result }))
    if (request.method === 'signatureSubscribe') {
      const subscription = next++
      reply(subscription)
      const stop = ledger.watch(String(first), ({ slot, err }) =>
        socket.send(
          JSON.stringify({
            jsonrpc: '2.0',
            method: 'signatureNotification',
            params: { subscription, result: { context: { slot }, value: { err } } },
          }),
        ),
      )
      watches.set(subscription, stop)
    } else if (request.method === 'signatureUnsubscribe') {
      watches.get(Number(first))?.()
      reply(watches.delete(Number(first)))
    } else socket.send(answer(text))
  })
}
