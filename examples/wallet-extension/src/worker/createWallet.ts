import { fromJson, toJson } from 'redeemkit'
import { AskError, type AskFailure, type RequestName } from '../messages.ts'
import { createApprovals } from './createApprovals.ts'
import { createNetworks } from './createNetworks.ts'
import { createPages } from './createPages.ts'
import { createPaymentLinks } from './createPaymentLinks.ts'
import { createQueue, documentsOf } from './createQueue.ts'
import { createSites } from './createSites.ts'
import { createVault } from './createVault.ts'
import { openStore } from './openStore.ts'
import { pageMethods } from './pageMethods.ts'
import type { Platform } from './platform.ts'
import { createRedeemBook } from './redeemBook.ts'
import { windowRequests } from './windowRequests.ts'

/** Returns immediately, so that the worker can register its listeners at once. All answers wait until the stored state is read. */
export function createWallet(platform: Platform) {
  const ready = start(platform)
  const pages = createPages({ ready })
  // Each request that awaits `ready` reports its failure.
  ready.catch(() => {})

  return {
    connectPage: pages.connect,

    answerWindow: async (message: unknown): Promise<string> => {
      try {
        const { answer } = await ready
        const { name, ask } = Object(message)
        // A window sends only these types; `windowRequests` checks the name.
        return toJson({ value: await answer(name as RequestName, fromJson(String(ask))) })
      } catch (error) {
        return toJson({ failure: failureOf(error) })
      }
    },

    /** Locks the vault if it was not used for the time in the settings. */
    onAlarm: async (): Promise<void> => (await ready).lockIfUnused(),

    /** The user is idle, or has locked the screen. */
    onIdle: async (): Promise<void> => (await ready).lock(),

    /** Closing the approval window rejects the requests that it showed. */
    onWindowClosed: async (windowId: number): Promise<void> => (await ready).windowClosed(windowId),

    lockAfterMinutes: async (): Promise<number> => (await ready).lockAfterMinutes(),
  }
}

async function start(platform: Platform) {
  const { now } = platform
  const store = await openStore(platform)
  const vault = createVault(store)
  const queue = createQueue(store, platform)
  const sites = createSites(store, platform)
  const networks = createNetworks(store, platform)
  const book = createRedeemBook(store, networks, now)
  const links = createPaymentLinks({ store, networks, book, platform })
  const approvals = createApprovals({ store, vault, queue, sites, networks, book, links, now })
  const answerRequest = windowRequests({ store, vault, queue, sites, networks, approvals, book, links, now })

  async function lock(): Promise<void> {
    if (vault.state() !== 'unlocked') return
    await vault.lock()
    platform.notifyWindows()
  }

  async function lockIfUnused(): Promise<void> {
    // The clock can also be set back.
    const unusedMs = Math.abs(now() - store.get('usedAt'))
    if (unusedMs > store.get('settings').lockAfterMinutes * 60_000) await lock()
  }

  /** Closes requests whose page was closed while the worker was stopped, and continues unfinished work. */
  async function resume(): Promise<void> {
    const entries = queue.all()
    for (const document of documentsOf(entries))
      await queue.gone(document.documentId, await platform.sendToDocument(document, { ping: true }))
    for (const entry of queue.waiting()) {
      if ('prepared' in entry.ask && entry.ask.prepared.state === 'preparing') void approvals.prepare(entry)
      void approvals.resend(entry)
    }
  }

  await lockIfUnused()
  platform.showWaiting(queue.waiting().length)
  // A window whose worker was stopped reads the state again.
  const resumed = resume().then(platform.notifyWindows)

  return {
    queue,
    sites,
    methods: pageMethods({
      sites,
      networks,
      queue,
      canShow: approvals.canShow,
      prepare: (entry) => void approvals.prepare(entry),
      batchesOf: (origin) => store.get('batches').filter((one) => one.origin === origin),
    }),
    beforeAnswer: lockIfUnused,
    lock,
    lockIfUnused,
    lockAfterMinutes: () => store.get('settings').lockAfterMinutes,
    windowClosed: async (windowId: number) => {
      if (store.get('windowId') !== windowId) return
      await store.set({ windowId: undefined })
      await approvals.reject(() => true)
    },
    answer: async (...[name, ask]: Parameters<typeof answerRequest>) => {
      await Promise.all([resumed, lockIfUnused()])
      const answer = await answerRequest(name, ask)
      if (readOnly.includes(name)) return answer
      if (vault.state() === 'unlocked') await store.set({ usedAt: now() })
      platform.notifyWindows()
      return answer
    },
  }
}

/** Requests that change nothing. An open window repeats them without its user, so they do not keep the vault unlocked. */
const readOnly: readonly RequestName[] = [
  'state',
  'approvals',
  'sites',
  'balances',
  'redeems',
  'readPaymentLink',
  'pins',
  'names',
]

/** For all other errors, a window gets the same text, because their texts may contain a secret. */
function failureOf(error: unknown): AskFailure {
  if (error instanceof AskError) return { code: error.code, message: error.message, field: error.field }
  return { code: 'failed', message: 'Something went wrong in the wallet.' }
}
