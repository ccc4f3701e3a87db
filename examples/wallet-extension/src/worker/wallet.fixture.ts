import { fromJson, toJson } from 'redeemkit'
import { type Hex, keccak256, toHex } from 'viem'
import type { AskFailure, RequestName, Requests } from '../messages.ts'
import type { PageAnswer, PageEvent } from '../pageMessages.ts'
import { createWallet } from './createWallet.ts'
import type { Area, PageDocument, Platform } from './platform.ts'

/** Anvil's first account: public, and worth nothing. */
export const testKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
export const testAccount = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
export const testPhrase = 'test test test test test test test test test test test junk'
export const password = 'correct horse'

type Kept = Record<'local' | 'session', Record<string, unknown>>

/**
 * The wallet's worker can be stopped and started. `kept` is storage of an earlier browser: encrypting a vault takes a third of a second.
 */
export function fakeBrowser(options: { fetch?: typeof fetch; kept?: Kept } = {}) {
  const areas = { local: areaOf(options.kept?.local), session: areaOf(options.kept?.session) }
  const browser = {
    nowMs: 1_800_000_000_000,
    windows: new Set<number>(),
    opened: 0,
    /** Runs before the worker gets the id of a new window. */
    beforeOpened: async () => {},
    waiting: 0,
    closed: new Set<string>(),
    silent: new Set<string>(),
    events: [] as { documentId: string; message: PageEvent }[],
    kept: async (): Promise<Kept> => ({ local: await areas.local.get(), session: await areas.session.get() }),
    texts: () => [...areas.local.texts(), ...areas.session.texts()],
  }
  const platform: Platform = {
    ...areas,
    openApproval: async () => {
      browser.opened++
      const windowId = browser.opened
      browser.windows.add(windowId)
      await browser.beforeOpened()
      return windowId
    },
    focusApproval: async (windowId) => browser.windows.has(windowId),
    closeWindow: async (windowId) => void browser.windows.delete(windowId),
    sendToDocument: async ({ documentId }, message) => {
      if (browser.closed.has(documentId)) return 'closed'
      if (browser.silent.has(documentId)) return new Promise((resolve) => setTimeout(() => resolve('silent')))
      if ('event' in message) browser.events.push({ documentId, message })
      return 'open'
    },
    notifyWindows: () => {},
    showWaiting: (count) => {
      browser.waiting = count
    },
    now: () => browser.nowMs,
    fetch: options.fetch ?? (() => Promise.reject(new Error('There is no network.'))),
  }
  let wallet = createWallet(platform)
  const pages: FakePage[] = []

  return Object.assign(browser, {
    /** Sends a request as a window does. Throws an object with the failure's code. */
    ask: async <name extends RequestName>(
      name: name,
      ask: Requests[name]['ask'],
    ): Promise<Requests[name]['answer']> => {
      const text = await wallet.answerWindow({ name, ask: toJson(ask) })
      const { value, failure } = fromJson<{ value?: Requests[name]['answer']; failure?: AskFailure }>(text)
      if (failure !== undefined) throw failure
      return value as Requests[name]['answer'] // The worker's answer to this request.
    },
    answerWindow: (message: unknown) => wallet.answerWindow(message),
    openPage: (origin = 'https://shop.example') => {
      const page = new FakePage({ tabId: pages.length, documentId: `document ${pages.length}`, origin })
      pages.push(page)
      page.connect(wallet)
      return page
    },
    /** Stops the worker and starts another one. Pages reconnect and resend unanswered requests. */
    restart: () => {
      wallet = createWallet(platform)
      for (const page of pages) {
        const { documentId } = page.document
        if (!browser.closed.has(documentId) && !browser.silent.has(documentId)) page.connect(wallet)
      }
    },
    closePage: async (page: FakePage) => {
      browser.closed.add(page.document.documentId)
      await page.close()
    },
    closeWindowByUser: async () => {
      const [windowId = 0] = browser.windows
      browser.windows.delete(windowId)
      await wallet.onWindowClosed(windowId)
    },
    alarm: () => wallet.onAlarm(),
    idle: () => wallet.onIdle(),
  })
}

type Wallet = ReturnType<typeof createWallet>

export class FakePage {
  readonly document: PageDocument
  readonly #open = new Map<string, { text: string; settle: (answer: PageAnswer) => void }>()
  #connection: ReturnType<Wallet['connectPage']> | undefined
  #count = 0

  constructor(document: PageDocument) {
    this.document = document
  }

  connect(wallet: Wallet): void {
    const connection = wallet.connectPage(this.document, (answer) => {
      if (this.#connection !== connection) return
      // A wallet with damaged storage rejects every message. Tests check its answers instead.
      connection.receive({ confirm: answer.id }).catch(() => {})
      this.#open.get(answer.id)?.settle(answer)
      this.#open.delete(answer.id)
    })
    this.#connection = connection
    for (const [id, { text }] of this.#open) void connection.receive({ id, text })
  }

  /** Breaks the connection, as when the worker is stopped: answers are lost. */
  cut(): void {
    this.#connection = undefined
  }

  close(): Promise<void> | undefined {
    return this.#connection?.close()
  }

  request(method: string, params?: unknown): Promise<unknown> {
    return this.send(JSON.stringify({ method, params }))
  }

  send(text: string, id = `${this.#count++}`): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#open.set(id, {
        text,
        settle: (answer) => ('error' in answer ? reject(answer.error) : resolve(answer.result)),
      })
      void this.#connection?.receive({ id, text })
    })
  }
}

function areaOf(values: Record<string, unknown> = {}): Area & { texts: () => string[] } {
  const kept = new Map(Object.entries(values))
  return {
    get: async () => structuredClone(Object.fromEntries(kept)),
    set: async (values) => {
      for (const [key, value] of Object.entries(values)) kept.set(key, structuredClone(value))
    },
    clear: async () => kept.clear(),
    texts: () => [...kept.values()].map(String),
  }
}

/** Creates a node with one block, which accepts every transaction and reports none. */
export function fakeNode(chainId: number) {
  const sent: Hex[] = []
  const known = new Set<Hex>()
  const receipts = new Map<Hex, object>()
  const simulated = { status: '0x1', gasUsed: '0x5208', error: { message: 'execution reverted' } }
  let onSend: 'take' | 'hang' | 'takeAndHang' = 'take'
  let isDown = false
  let refusal: string | undefined
  const answers: Record<string, unknown> = {
    eth_chainId: toHex(chainId),
    eth_getTransactionCount: '0x0',
    eth_estimateGas: '0x5208',
    eth_maxPriorityFeePerGas: '0x1',
    eth_getBlockByNumber: { baseFeePerGas: '0x1' },
  }

  async function answer(method: string, params: readonly unknown[]): Promise<object> {
    if (method === 'eth_simulateV1') {
      const { calls } = Object(params[0]).blockStateCalls[0]
      return { result: [{ calls: calls.map(() => simulated) }] }
    }
    const [first] = params as readonly Hex[] // every method below has such params
    if (method === 'eth_getTransactionReceipt') return { result: receipts.get(first ?? '0x') ?? null }
    if (method === 'eth_getTransactionByHash') {
      const hash = first ?? '0x'
      return { result: known.has(hash) ? { hash } : null }
    }
    if (method !== 'eth_sendRawTransaction') return { result: answers[method] }
    const raw = first ?? '0x'
    if (refusal !== undefined) return { error: { code: -32003, message: refusal } }
    sent.push(raw)
    const hash = keccak256(raw)
    if (known.has(hash)) return { error: { code: -32000, message: 'already known' } }
    const now = onSend
    onSend = 'take'
    if (now !== 'hang') known.add(hash)
    return now === 'take' ? { result: hash } : new Promise<object>(() => {})
  }

  return {
    sent: sent as readonly Hex[],
    /** Lets the node accept the next transaction, or not receive it. In both cases, the node never responds. */
    hang: (takes: boolean) => {
      onSend = takes ? 'takeAndHang' : 'hang'
    },
    mine: (hash: Hex, status: '0x0' | '0x1') => {
      const block = { blockHash: '0xb1', blockNumber: '0x1', gasUsed: '0x5208', from: '0xf39f' }
      const logs = [{ address: '0xa1', data: '0x', topics: [], logIndex: '0x0' }]
      receipts.set(hash, { ...block, transactionHash: hash, status, logs })
    },
    revert: () => {
      simulated.status = '0x0'
    },
    refuse: (reason: string) => {
      refusal = reason
    },
    goDown: () => {
      isDown = true
    },
    fetch: (async (_url, options) => {
      if (isDown) throw new Error('There is no network.')
      const { method, params } = JSON.parse(String(options?.body))
      return Response.json(await answer(method, params))
    }) satisfies typeof fetch,
  }
}
