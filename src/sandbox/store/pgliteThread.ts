import { createRequire } from 'node:module'
import { Duplex } from 'node:stream'
import { Worker } from 'node:worker_threads'

/** PGlite in its own thread, so that statements do not block this thread. */
export type PgliteThread = {
  /** A stream of PostgreSQL's protocol, for one client of `pg`. */
  stream: Duplex
  /** Writes an archive of the database's folder to a file. */
  dump: (file: string) => Promise<void>
  close: () => Promise<void>
}

/** Code of an error that the database's folder caused. The error's `reason` is that of the operating system. */
export const folderErrorCode = 'PGLITE_FOLDER'

/** Starts to load PGlite in a thread, for the next `startPglite`. It opens no database and does not keep the process alive. */
export function preparePglite(): void {
  prepared ??= startThread()
}

let prepared: Thread | undefined

/** If the start fails, the first use reports it. Without a `template` from `dump`, initdb runs, which takes seconds. */
export function startPglite(options: {
  folder?: string | undefined
  template?: string | undefined
  /** Parameters of initdb. */
  initDbStartParams: readonly string[]
  settings: readonly string[]
}): PgliteThread {
  const { worker, send } = prepared ?? startThread()
  prepared = undefined
  worker.ref()
  // Less than the default of 128 MB, because PostgreSQL zeroes it at each start. Files in memory need little cache.
  const sharedMemory = options.folder === undefined ? '4MB' : '32MB'
  const settings = [`shared_buffers=${sharedMemory}`, ...options.settings]
  const started = send({ ...options, settings })
  // The first use reports the failure.
  started.catch(() => {})
  return {
    stream: protocolStream((bytes) => started.then(() => send(bytes, [bytes.buffer]))),
    dump: async (file) => {
      await send({ dump: file })
    },
    close: async () => {
      // If the thread failed, there is nothing to close.
      await started.then(() => send('close')).catch(() => {})
      await worker.terminate()
    },
  }
}

type Thread = {
  worker: Worker
  /** Sends a message. The thread responds in the order of the messages. */
  send: (message: Message, moved?: ArrayBuffer[]) => Promise<readonly Uint8Array[]>
}

function startThread(): Thread {
  const pglite = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const worker = new Worker(program, {
    eval: true,
    workerData: { pglite, compiled, folderErrorCode },
    // The thread does not need this process's module loader.
    execArgv: [],
  })
  const waiting: { resolve: (answer: readonly Uint8Array[]) => void; reject: (cause: Error) => void }[] = []
  let failure: Error | undefined
  const fail = (cause: Error) => {
    failure ??= cause
    for (const { reject } of waiting.splice(0)) reject(failure)
  }
  worker.on('message', (answer: WebAssembly.Module | readonly Uint8Array[]) => {
    if (answer instanceof WebAssembly.Module) {
      compiled = answer
      return
    }
    waiting.shift()?.resolve(answer)
    // An idle database must not keep the process alive.
    if (waiting.length === 0) worker.unref()
  })
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('Connection terminated: PGlite ended.')))
  const send: Thread['send'] = (message, moved = []) =>
    new Promise((resolve, reject) => {
      if (failure !== undefined) return reject(failure)
      waiting.push({ resolve, reject })
      worker.ref()
      worker.postMessage(message, moved)
    })
  // Called after adding the listeners, because a listener for messages keeps the process alive.
  worker.unref()
  return { worker, send }
}

/** PGlite's compiled code. The first thread compiles it, and the other threads of this process share it. */
let compiled: WebAssembly.Module | undefined

type Message =
  | { folder?: string | undefined; template?: string | undefined; settings: readonly string[] }
  | { dump: string }
  | Uint8Array
  | 'close'

/** Implements the part of a socket that `pg` uses. Sends all protocol messages of a statement together. */
function protocolStream(ask: (bytes: Uint8Array<ArrayBuffer>) => Promise<readonly Uint8Array[]>): Duplex {
  const send = (chunks: readonly Uint8Array[], done: (cause?: Error) => void) => {
    const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const chunk of chunks) {
      bytes.set(chunk, at)
      at += chunk.length
    }
    ask(bytes).then(
      (answer) => {
        for (const part of answer) stream.push(part)
      },
      (cause: Error) => stream.destroy(cause),
    )
    done()
  }
  const stream = new Duplex({
    read: () => {},
    write: (chunk: Uint8Array, _, done) => send([chunk], done),
    writev: (chunks, done) =>
      send(
        chunks.map(({ chunk }) => chunk),
        done,
      ),
    final: (done) => {
      stream.push(null)
      done()
    },
  })
  const nothing = () => stream
  return Object.assign(stream, {
    connect: () => process.nextTick(() => stream.emit('connect')),
    setNoDelay: nothing,
    setKeepAlive: nothing,
    ref: nothing,
    unref: nothing,
  })
}

/**
 * A string, so that it also runs after this file was bundled. `execProtocolRaw` would parse and keep each response. Each chunk is
 * copied, because PGlite reuses its memory.
 */
const program = `
const { parentPort, workerData } = require('node:worker_threads')
const { readFileSync, writeFileSync } = require('node:fs')
const { dirname, join } = require('node:path')
const { pglite, folderErrorCode } = workerData
let { compiled } = workerData
if (compiled === undefined) {
  compiled = new WebAssembly.Module(readFileSync(join(dirname(pglite), 'pglite.wasm')))
  parentPort.postMessage(compiled)
}
const { PGlite } = require(pglite)
let database
let last = Promise.resolve()
parentPort.on('message', (message) => {
  last = last.then(() => answer(message)).catch(rethrow)
})
// Emscripten's file system error is not an Error, so its reason would be lost. Its error numbers are those of WASI.
function rethrow(cause) {
  if (cause?.name !== 'ErrnoError') throw cause
  const reason = { 19: 'disk quota exceeded', 51: 'no space left on device' }[cause.errno] ?? 'system error ' + cause.errno
  throw Object.assign(new Error('PGlite failed: ' + reason), { code: folderErrorCode, reason })
}
async function answer(message) {
  const chunks = []
  if (message.settings !== undefined) {
    const { folder, template, initDbStartParams, settings } = message
    database = await PGlite.create({
      ...(folder !== undefined && { dataDir: folder }),
      ...(template !== undefined && { loadDataDir: new Blob([readFileSync(template)]) }),
      initDbStartParams,
      startParams: [...PGlite.defaultStartParams, ...settings.flatMap((one) => ['-c', one])],
      pgliteWasmModule: compiled,
    })
  } else if (message === 'close') await database.close()
  else if (message.dump !== undefined)
    writeFileSync(message.dump, new Uint8Array(await (await database.dumpDataDir('none')).arrayBuffer()))
  else await database.execProtocolRawStream(message, { onRawData: (chunk) => chunks.push(chunk.slice()) })
  parentPort.postMessage(chunks, chunks.map(({ buffer }) => buffer))
}`
