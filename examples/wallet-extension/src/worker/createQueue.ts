import type { PreparedRedeem } from 'redeemkit'
import type { Address, Hex } from 'viem'
import type { PreparedTransaction } from '../messages.ts'
import { type PageAnswer, PageRequestError } from '../pageMessages.ts'
import type { Store } from './openStore.ts'
import type { PageDocument, Platform } from './platform.ts'

/** A request that waits for the user, or an answer that the page has not confirmed. Plain data, because it is stored. */
export type QueueEntry = {
  id: string
  /** The page, and the request's ID from the page. `undefined` for the wallet's own requests. */
  page: { document: PageDocument; requestId: string } | undefined
  receivedAt: number
  ask: Ask
  answer?: Answer | undefined
}

export type Answer = { result: unknown } | { error: { code: number; message: string } }

export type Ask =
  | { kind: 'connect'; isNew: boolean; method: 'eth_requestAccounts' | 'wallet_requestPermissions' }
  | SignAsk

export type SignAsk = { account: Address; chainId: number } & (
  | { kind: 'message'; method: 'personal_sign'; params: readonly unknown[]; data: Hex }
  | { kind: 'typedData'; method: 'eth_signTypedData_v4'; params: readonly unknown[] }
  | ({ kind: 'transaction'; method: 'eth_sendTransaction'; params: readonly unknown[] } & OwnTransactions)
  | ({
      kind: 'calls'
      method: 'wallet_sendCalls'
      params: readonly unknown[]
      batchId: string
    } & OwnTransactions)
  | ({ kind: 'cancel'; redeemId: string; typedData: unknown; nonce: Hex; to: Address } & OwnTransactions)
  | { kind: 'payLink'; redeem: PreparedRedeem; pinId: string; isNewReceiver: boolean }
)

type OwnTransactions = {
  prepared: Prepared
  /** The signed transactions, stored before they are sent. Afterwards, the wallet sends only these bytes for the request. */
  signed?: readonly Hex[] | undefined
}

/** The prepared transactions with all signed fields, in sending order. */
export type Prepared =
  | Exclude<PreparedTransaction, { state: 'ready' }>
  | { state: 'ready'; transactions: readonly TransactionFields[] }

export type TransactionFields = {
  nonce: number
  gas: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  to: Address | undefined
  value: bigint
  data: Hex
}

/** Maximum number of waiting requests, for one site and for all sites together. */
const mostOfSite = 10
const mostWaiting = 30

export type Queue = ReturnType<typeof createQueue>

/** The session storage keeps the queue when the worker is stopped. An answer is kept until its page confirms it. */
export function createQueue(store: Store, platform: Platform) {
  const ports = new Map<string, (message: PageAnswer) => void>()
  let shown: Promise<void> = Promise.resolve()

  const all = () => store.get('queue')
  const waiting = () => all().filter(({ answer }) => answer === undefined)

  const waitingOf = (origin: string) => waiting().filter(({ page }) => page?.document.origin === origin)

  /** Returns the site's rejection less than a minute before or after a time, because the clock may have been set back. */
  function rejectionBefore(time: number, origin: string) {
    const last = store.get('rejections')[origin]
    return last !== undefined && Math.abs(time - last.at) < 60_000 ? last : undefined
  }

  function checkRoom(origin: string, ask: Ask): void {
    if (rejectionBefore(platform.now(), origin)?.isForAll === true)
      throw new PageRequestError('rejected', 'The user rejected all requests from this site for a minute.')
    const ofSite = waitingOf(origin)
    if (ask.kind === 'connect' && ofSite.some((one) => one.ask.kind === 'connect'))
      throw new PageRequestError('pending')
    if (ofSite.length >= mostOfSite || waiting().length >= mostWaiting) throw new PageRequestError('tooMany')
  }

  async function save(queue: readonly QueueEntry[]): Promise<void> {
    const written = store.set({ queue })
    const count = waiting().length
    platform.showWaiting(count)
    platform.notifyWindows()
    if (count === 0) await closeWindow()
    await written
  }

  const update = (change: (entry: QueueEntry) => QueueEntry) => save(all().map(change))

  function deliver({ page, answer }: QueueEntry): void {
    if (page !== undefined && answer !== undefined)
      ports.get(page.document.documentId)?.({ id: page.requestId, ...answer })
  }

  /** Forgets the window before closing it, so that a request that arrives in the meantime opens a new one. */
  async function closeWindow(): Promise<void> {
    const windowId = store.get('windowId')
    if (windowId === undefined) return
    await store.set({ windowId: undefined })
    await platform.closeWindow(windowId)
  }

  async function openWindow(): Promise<void> {
    const windowId = store.get('windowId')
    if (windowId !== undefined && (await platform.focusApproval(windowId))) return
    await store.set({ windowId: await platform.openApproval() })
    // The user answered every request before the new window had an id.
    if (waiting().length === 0) await closeWindow()
  }

  /** Calls run one after another, because a window that an earlier request opened may have been closed again. */
  function show(): Promise<void> {
    const before = shown.catch(() => {}) // The earlier request has already reported this error.
    shown = before.then(openWindow)
    return shown
  }

  return {
    all,
    waiting,
    show,

    add: async (ask: Ask, page?: QueueEntry['page']): Promise<QueueEntry> => {
      if (page !== undefined) checkRoom(page.document.origin, ask)
      const entry: QueueEntry = { id: crypto.randomUUID(), page, receivedAt: platform.now(), ask }
      await save([...all(), entry]).catch(async () => {
        // The session storage is full. Without this entry, other changes fit again.
        await save(all().filter(({ id }) => id !== entry.id))
        throw new PageRequestError('tooMany')
      })
      await show()
      return entry
    },

    /** Closes a window that has no request to show, unless a request has arrived for it. */
    closeEmpty: async (windowId: number): Promise<void> => {
      if (store.get('windowId') !== windowId) return platform.closeWindow(windowId)
      if (waiting().length === 0) await closeWindow()
    },

    /** Changes entries immediately. */
    update,

    isInsistent: ({ page, receivedAt }: QueueEntry): boolean => {
      if (page === undefined) return false
      const { origin } = page.document
      return waitingOf(origin).length > 1 || rejectionBefore(receivedAt, origin) !== undefined
    },

    /** Decides a request, and sends the answer to its page. */
    answer: async (id: string, answer: Answer): Promise<void> => {
      const entry = all().find((one) => one.id === id)
      if (entry === undefined) return
      const answered = { ...entry, answer }
      if (entry.page === undefined) return save(all().filter((one) => one.id !== id))
      await update((one) => (one.id === id ? answered : one))
      deliver(answered)
    },

    connect: (documentId: string, post: (message: PageAnswer) => void): void => {
      ports.set(documentId, post)
    },

    /** Finds a request that a page has sent before, and repeats its answer. */
    repeat: (documentId: string, requestId: string): boolean => {
      const entry = all().find(
        ({ page }) => page?.document.documentId === documentId && page.requestId === requestId,
      )
      if (entry !== undefined) deliver(entry)
      return entry !== undefined
    },

    confirm: async (documentId: string, requestId: string): Promise<void> => {
      const isThis = ({ page, answer }: QueueEntry) =>
        answer !== undefined && page?.document.documentId === documentId && page.requestId === requestId
      if (all().some(isThis)) await save(all().filter((entry) => !isThis(entry)))
    },

    /**
     * Closes the requests of a closed page. A silent page may only be busy, and repeats its requests later. Its decided requests
     * are kept, because the user would otherwise sign them twice. A page that has connected in the meantime is no longer silent.
     */
    gone: async (documentId: string, state: 'open' | 'closed' | 'silent' = 'closed'): Promise<void> => {
      if (state === 'open' || (state === 'silent' && ports.has(documentId))) return
      ports.delete(documentId)
      const isClosed = (entry: QueueEntry) =>
        entry.page?.document.documentId === documentId && (state === 'closed' || !isDecided(entry))
      if (all().some(isClosed)) await save(all().filter((entry) => !isClosed(entry)))
    },
  }
}

const isDecided = ({ answer, ask }: QueueEntry) =>
  answer !== undefined || ('signed' in ask && ask.signed !== undefined)

export function documentsOf(entries: readonly QueueEntry[]): PageDocument[] {
  const found = new Map<string, PageDocument>()
  for (const { page } of entries) if (page !== undefined) found.set(page.document.documentId, page.document)
  return [...found.values()]
}
