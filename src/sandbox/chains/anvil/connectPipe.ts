import { connect, type Socket } from 'node:net'
import { custom, RpcRequestError, type Transport } from 'viem'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'

/** JSON-RPC over Anvil's socket: one connection with concurrent requests. */
export type Pipe = {
  /**
   * Sends a request and resolves with the rest of the raw response after the id: `"result":…}` or `"error":…}`. The text is not parsed,
   * because parsing would round numbers above 2^53.
   */
  ask: (method: string, params: unknown) => Promise<string>
  isClosed: () => boolean
  close: () => void
}

/** `silenceMs`: if the chain sends nothing for this long, pending requests fail. A fork needs longer, as Anvil waits for its origin. */
export async function connectPipe(path: string, options: { silenceMs?: number } = {}): Promise<Pipe> {
  const { silenceMs = 10_000 } = options
  const socket = await new Promise<Socket>((resolve, reject) => {
    const opening = connect(path, () => resolve(opening))
    opening.once('error', (cause: NodeJS.ErrnoException) =>
      reject(new ChainConnectionError(`The chain does not respond: ${cause.code}.`)),
    )
  })
  const waiting = new Map<number, { resolve: (tail: string) => void; reject: (cause: Error) => void }>()
  let next = 0
  let gone = false
  const rejectAll = (message: string) => {
    for (const { reject } of waiting.values()) reject(new ChainConnectionError(message))
    waiting.clear()
  }
  const silence = silenceTimer(silenceMs, () =>
    rejectAll(`The chain did not respond for ${silenceMs / 1000} s.`),
  )
  readLines(socket, (line) => {
    const [head, id] = /^\{"jsonrpc":"2\.0","id":(\d+),/.exec(line) ?? ['']
    const asked = waiting.get(Number(id))
    waiting.delete(Number(id))
    if (waiting.size > 0) silence.restart()
    else silence.stop()
    asked?.resolve(line.slice(head.length))
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    gone = true
    silence.stop()
    rejectAll(ended)
  })
  // An idle connection must not keep the process alive.
  socket.unref()
  return {
    ask: (method, params) => {
      if (gone) return Promise.reject(new ChainConnectionError(ended))
      const id = next++
      return new Promise<string>((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        if (waiting.size === 1) {
          socket.ref()
          silence.restart()
        }
        socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
      }).finally(() => {
        if (waiting.size === 0) socket.unref()
      })
    },
    isClosed: () => gone,
    close: () => socket.destroy(),
  }
}

/** Calls `onSilence` unless restarted or stopped within `ms`. */
function silenceTimer(ms: number, onSilence: () => void): { restart: () => void; stop: () => void } {
  let count = 0
  let timer: NodeJS.Timeout | undefined
  return {
    restart: () => {
      count++
      clearTimeout(timer)
      const mine = count
      // If this process was paused, the event loop reads the responses that have arrived before it runs the immediate callback.
      timer = setTimeout(() => setImmediate(() => count === mine && onSilence()), ms).unref()
    },
    stop: () => {
      count++
      clearTimeout(timer)
    },
  }
}

/** A line may span chunks, and a chunk may contain several lines. */
function readLines(socket: Socket, onLine: (line: string) => void): void {
  let chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => {
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      chunks.push(chunk.subarray(start, end))
      onLine(Buffer.concat(chunks).toString('utf8'))
      chunks = []
      start = end + 1
    }
    if (start < chunk.length) chunks.push(chunk.subarray(start))
  })
}

const ended = 'The chain has ended.'

/** A local chain is not running, or does not respond. */
export class ChainConnectionError extends BaseError {
  override readonly name = 'ChainConnectionError'
}

/** Anvil's socket needs no port and restricts no methods. */
export function nodeTransport(node: Pick<Pipe, 'ask'>): Transport {
  return custom({ request: nodeRequest(node) }, { key: 'anvil', name: 'Anvil socket', retryCount: 0 })
}

/** Returns an EIP-1193 `request` function over Anvil's socket. It throws errors as viem does. */
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
