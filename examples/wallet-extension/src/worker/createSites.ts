import { type Address, toHex } from 'viem'
import type { Site } from '../messages.ts'
import type { Store } from './openStore.ts'
import type { PageDocument, Platform } from './platform.ts'

/** Maximum number of open pages that receive events. */
const mostDocuments = 500

export type Sites = ReturnType<typeof createSites>

/** The sites that may see accounts, and their open pages. */
export function createSites(store: Store, platform: Pick<Platform, 'sendToDocument' | 'now'>) {
  /** The chain of a site until it switches: the first with a node, or Base. */
  const firstChainId = () => Number(Object.keys(store.get('nodes'))[0] ?? 8453)

  const siteOf = (origin: string): Site | undefined => store.get('sites')[origin]

  const accountsOf = (origin: string): readonly Address[] => siteOf(origin)?.accounts ?? []

  async function save(site: Site): Promise<void> {
    await store.set({ sites: { ...store.get('sites'), [site.origin]: site } })
  }

  /** Sends an event to the site's pages, and removes closed pages. */
  async function emit(origin: string, message: Parameters<Platform['sendToDocument']>[1]): Promise<void> {
    const documents = Object.values(store.get('documents')).filter((one) => one.origin === origin)
    const gone = (
      await Promise.all(
        documents.map(async (one) =>
          (await platform.sendToDocument(one, message)) === 'closed' ? one : undefined,
        ),
      )
    ).filter((one) => one !== undefined)
    if (gone.length === 0) return
    const left = Object.entries(store.get('documents')).filter(
      ([id]) => !gone.some(({ documentId }) => documentId === id),
    )
    await store.set({ documents: Object.fromEntries(left) })
  }

  return {
    siteOf,
    accountsOf,
    list: (): readonly Site[] => Object.values(store.get('sites')),
    chainIdOf: (origin: string): number => siteOf(origin)?.chainId ?? firstChainId(),

    /** Stores a page, so that it receives events. */
    remember: async (document: PageDocument): Promise<void> => {
      const documents = store.get('documents')
      if (documents[document.documentId] !== undefined) return
      const entries = [...Object.entries(documents), [document.documentId, document] as const]
      await store.set({ documents: Object.fromEntries(entries.slice(-mostDocuments)) })
    },

    /** Replaces the accounts of a site. An empty list removes the site. */
    setAccounts: async (origin: string, accounts: readonly Address[]): Promise<void> => {
      const before = siteOf(origin)
      const now = platform.now()
      if (accounts.length > 0)
        await save({
          chainId: firstChainId(),
          connectedAt: now,
          ...before,
          origin,
          accounts,
          lastUsedAt: now,
        })
      else {
        const { [origin]: _, ...others } = store.get('sites')
        await store.set({ sites: others })
      }
      if (`${before?.accounts ?? ''}` !== `${accounts}`)
        await emit(origin, { event: 'accountsChanged', value: accounts })
    },

    setChain: async (origin: string, chainId: number): Promise<void> => {
      const site = siteOf(origin)
      if (site === undefined || site.chainId === chainId) return
      await save({ ...site, chainId })
      await emit(origin, { event: 'chainChanged', value: toHex(chainId) })
    },

    used: async (origin: string): Promise<void> => {
      const site = siteOf(origin)
      if (site !== undefined) await save({ ...site, lastUsedAt: platform.now() })
    },
  }
}
