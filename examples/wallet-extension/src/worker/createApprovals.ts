import { toJson } from 'redeemkit'
import { type Address, type Hex, keccak256 } from 'viem'
import { type Approval, AskError, type SignApproval } from '../messages.ts'
import { longestRequest, type PageError, PageRequestError, pageErrors } from '../pageMessages.ts'
import type { Networks } from './createNetworks.ts'
import type { PaymentLinks } from './createPaymentLinks.ts'
import type { Answer, Queue, QueueEntry, SignAsk, TransactionFields } from './createQueue.ts'
import type { Sites } from './createSites.ts'
import { createTransactions, paymentRefusal } from './createTransactions.ts'
import type { Vault } from './createVault.ts'
import { askerOf, inspectAsk } from './inspectAsk.ts'
import type { Store } from './openStore.ts'
import { permissionsOf } from './pageMethods.ts'
import type { RedeemBook } from './redeemBook.ts'
import { digestsOf, signDigest } from './signAsk.ts'

type SignEntry = QueueEntry & { ask: SignAsk }

const isSign = (entry: QueueEntry): entry is SignEntry => entry.ask.kind !== 'connect'

export type Approvals = ReturnType<typeof createApprovals>

export type ApprovalParts = {
  store: Store
  vault: Vault
  queue: Queue
  sites: Sites
  networks: Networks
  book: RedeemBook
  links: PaymentLinks
  now: () => number
}

/** Creates the module that provides the content of the approval window, and executes the user's decisions. Only this module signs. */
export function createApprovals(parts: ApprovalParts) {
  const { store, vault, queue, sites, book, links, now } = parts
  const transactions = createTransactions(parts)
  /** Requests that are being signed. A second click on such a request does nothing. */
  const busy = new Set<string>()

  function find(id: string): QueueEntry {
    if (busy.has(id)) throw new AskError('busy', 'This request is already being processed.')
    const entry = queue.waiting().find((one) => one.id === id)
    if (entry === undefined) throw new AskError('unknownApproval', 'This request is closed.')
    return entry
  }

  async function view(entry: QueueEntry): Promise<Approval> {
    const { id, receivedAt, ask } = entry
    const base = { id, receivedAt, asker: askerOf(entry), isInsistent: queue.isInsistent(entry) }
    if (ask.kind === 'connect') return { ...base, kind: 'connect', isNew: ask.isNew }
    return { ...base, ...(await viewOfSign({ ...entry, ask })) }
  }

  async function viewOfSign(
    entry: SignEntry,
  ): Promise<Omit<SignApproval, 'id' | 'receivedAt' | 'asker' | 'isInsistent'>> {
    const { ask, page } = entry
    const [inspection, also] = await inspectAsk(entry, { store, now })
    const origin = page?.document.origin
    const prepared = 'prepared' in ask ? ask.prepared : undefined
    return {
      kind: 'sign',
      method: ask.kind === 'payLink' ? 'payLink' : ask.kind === 'cancel' ? 'cancelPermit' : ask.method,
      account: ask.account,
      chainId: ask.chainId,
      inspection,
      also,
      digests: digestsOf(ask),
      raw: rawOf(ask),
      transaction:
        prepared?.state === 'ready' ? { state: 'ready', maxFee: maxFeeOf(prepared.transactions) } : prepared,
      pinNames: store
        .get('pins')
        .filter(({ origins }) => origin !== undefined && origins.includes(origin))
        .map(({ name }) => name),
      isNewReceiver: ask.kind === 'payLink' ? ask.isNewReceiver : undefined,
    }
  }

  async function connect(entry: QueueEntry, chosen: readonly Address[]): Promise<Answer> {
    const own = store.get('accounts').map(({ address }) => address)
    const accounts = own.filter((address) => chosen.includes(address))
    if (accounts.length === 0) throw new AskError('invalidRequest', 'No account was chosen.')
    const { page, ask } = entry
    if (page === undefined || ask.kind !== 'connect')
      throw new AskError('unknownApproval', 'This request is closed.')
    const { document } = page
    // The account that the user chose first is listed first, because sites use the first account.
    const sorted = [...accounts].sort((one, other) => chosen.indexOf(one) - chosen.indexOf(other))
    await sites.setAccounts(document.origin, sorted)
    return {
      result: ask.method === 'eth_requestAccounts' ? sorted : permissionsOf(document.origin, sorted),
    }
  }

  async function sign(entry: SignEntry, shown: readonly Hex[]): Promise<Answer> {
    const { ask, page } = entry
    const digests = digestsOf(ask)
    const [first] = digests
    // Sign exactly what was shown.
    if (first === undefined || `${digests}` !== `${shown}`)
      throw new AskError('changed', 'The request has changed. Read it again.')
    if (page !== undefined && !sites.accountsOf(page.document.origin).includes(ask.account))
      throw new AskError('refused', 'The site is no longer connected to this account.')
    const inspections = await inspectAsk(entry, { store, now })
    if (inspections.some((one) => one?.verdict === 'refuse'))
      throw new AskError('refused', 'The wallet does not sign this request.')
    const account = await vault.signerOf(ask.account)
    switch (ask.kind) {
      case 'message':
        return { result: await signDigest(account, first) }
      case 'typedData': {
        const [inspection] = inspections
        // Recorded before signing, so that the history contains every signature that leaves the wallet.
        await book.record(ask.params[1], {
          asker: askerOf(entry),
          account: ask.account,
          inspection,
        })
        return { result: await signDigest(account, first) }
      }
      case 'transaction':
      case 'calls':
      case 'cancel':
        return transactions.signAndSend({ ...entry, ask }, { account, digests })
      case 'payLink':
        await links.pay(ask, { account, inspection: inspections[0] })
        return { result: null }
    }
  }

  /** Runs `work` and answers the request with its result. Ignores clicks on the request in the meantime. */
  async function decide(entry: QueueEntry, work: () => Promise<Answer>): Promise<void> {
    busy.add(entry.id)
    try {
      const answer = await work()
      if (entry.page !== undefined) await sites.used(entry.page.document.origin)
      await queue.answer(entry.id, answer)
    } finally {
      busy.delete(entry.id)
    }
  }

  return {
    list: (): Promise<Approval[]> => Promise.all(queue.waiting().map(view)),

    /** Whether a request can be stored and shown without an error, and is short enough. */
    canShow: async (ask: QueueEntry['ask'], page: QueueEntry['page']): Promise<boolean> => {
      try {
        return toJson([ask, await view({ id: '', page, receivedAt: now(), ask })]).length < longestView
      } catch {
        return false
      }
    },

    prepare: transactions.prepare,

    approve: async (
      id: string,
      { digests, accounts }: { digests: readonly Hex[]; accounts: readonly Address[] },
    ) => {
      const entry = find(id)
      if (vault.state() !== 'unlocked') throw new AskError('locked', 'The wallet is locked.')
      try {
        await decide(entry, () => (isSign(entry) ? sign(entry, digests) : connect(entry, accounts)))
      } catch (error) {
        if (!(error instanceof PageRequestError)) throw error
        throw paymentRefusal(error)
      }
    },

    /** Sends what was signed before the worker stopped. If that fails, a click on the request sends it again. */
    resend: async (entry: QueueEntry): Promise<void> => {
      const { ask } = entry
      if (!('signed' in ask) || ask.signed === undefined) return
      const { signed } = ask
      await decide(entry, () => transactions.send({ ...entry, ask }, signed)).catch(() => {})
    },

    /** Rejects requests, except those that are being signed. */
    reject: async (isMeant: (entry: QueueEntry) => boolean, isForAll = false): Promise<void> => {
      const meant = queue.waiting().filter((entry) => isMeant(entry) && !busy.has(entry.id))
      const rejected = meant.flatMap(({ page }) => page?.document.origin ?? [])
      const added = rejected.map((origin) => [origin, { at: now(), isForAll }] as const)
      // Stored first, because the site may send another request when it gets the answer.
      await store.set({ rejections: { ...store.get('rejections'), ...Object.fromEntries(added) } })
      for (const entry of meant) await queue.answer(entry.id, { error: rejectionOf(entry) })
    },

    find,
  }
}

/** Maximum length in characters, which allows for texts that the window shows several times. */
const longestView = 8 * longestRequest

/** Returns the error for a rejected request. The node may have received a signed transaction, so the page must not request it again. */
function rejectionOf({ ask }: QueueEntry): PageError {
  return 'signed' in ask && ask.signed !== undefined
    ? {
        ...pageErrors.internal,
        message: `The transaction was signed, and may have been sent: ${ask.signed.map((one) => keccak256(one)).join(', ')}`,
      }
    : pageErrors.rejected
}

const maxFeeOf = (transactions: readonly TransactionFields[]) =>
  transactions.reduce((sum, { gas, maxFeePerGas }) => sum + gas * maxFeePerGas, 0n)

function rawOf(ask: SignAsk): string {
  switch (ask.kind) {
    case 'message':
    case 'transaction':
    case 'calls':
      return JSON.stringify({ method: ask.method, params: ask.params }, undefined, 2)
    case 'typedData': {
      const [account, typedData, ...more] = ask.params
      const read = typeof typedData === 'string' ? JSON.parse(typedData) : typedData
      return JSON.stringify({ method: ask.method, params: [account, read, ...more] }, undefined, 2)
    }
    case 'cancel':
      return JSON.stringify(ask.typedData, undefined, 2)
    case 'payLink':
      return JSON.stringify(ask.redeem.typedData, undefined, 2)
  }
}
