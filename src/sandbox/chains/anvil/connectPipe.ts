import { connect, type Socket } from 'node:net'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'

/** JSON-RPC over Anvil's socket: one connection, many questions at a time. */
export type Pipe = {
  /**
   * Asks, and resolves with the members of the answer that follow its id, as they came: `"result":…}` or `"error":…}`.
   * As text, because a number above 2^53 in it would be rounded by reading it.
   */
  ask: (method: string, params: unknown) => Promise<string>
  close: () => void
}

/**
 * Connects to the socket at which an Anvil answers.
 *
 * @throws {@link ChainConnectionError} when nothing listens there; and by `ask`, when the chain is gone
 */
export async function connectPipe(path: string): Promise<Pipe> {
  const socket = await new Promise<Socket>((resolve, reject) => {
    const opening = connect(path, () => resolve(opening))
    opening.once('error', (cause: NodeJS.ErrnoException) =>
      reject(new ChainConnectionError(`The chain does not answer: ${cause.code}.`)),
    )
  })
  const waiting = new Map<number, { resolve: (tail: string) => void; reject: (cause: Error) => void }>()
  let next = 0
  let gone = false
  readLines(socket, (line) => {
    const [head, id] = /^\{"jsonrpc":"2\.0","id":(\d+),/.exec(line) ?? ['']
    const asked = waiting.get(Number(id))
    waiting.delete(Number(id))
    asked?.resolve(line.slice(head.length))
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    gone = true
    for (const { reject } of waiting.values()) reject(goneError())
    waiting.clear()
  })
  // Whoever waits for an answer has something open of its own.
  socket.unref()
  return {
    ask: (method, params) => {
      if (gone) return Promise.reject(goneError())
      const id = next++
      return new Promise<string>((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        if (waiting.size === 1) socket.ref()
        socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
      }).finally(() => {
        if (waiting.size === 0) socket.unref()
      })
    },
    close: () => socket.destroy(),
  }
}

export declare namespace connectPipe {
  type ErrorType = ChainConnectionError
}

/** Calls for each line, without its end. A line can come in many chunks, and a chunk can hold many lines. */
function readLines(socket: Socket, tell: (line: string) => void): void {
  let chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => {
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      chunks.push(chunk.subarray(start, end))
      tell(Buffer.concat(chunks).toString('utf8'))
      chunks = []
      start = end + 1
    }
    if (start < chunk.length) chunks.push(chunk.subarray(start))
  })
}

function goneError(): ChainConnectionError {
  return new ChainConnectionError('The chain has ended.')
}

/** A local chain that is not there, or not any more. */
export class ChainConnectionError extends BaseError {
  override readonly name = 'ChainConnectionError'
}
