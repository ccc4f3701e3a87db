import { type Address, toHex } from 'viem'
import type { Site } from '../messages.ts'
import type { Store } from './openStore.ts'
import type { PageDocument, Platform } from './platform.ts'

const mostDocuments = 500

export type Sites = ReturnType<typeof createSites>

export function createSites(store: Store, platform: Pick<Platform, 'sendToDocument' | 'now'>) {
  /** Returns the chain of a site until the site switches: the first chain with a node, or Base. */
  const firstChainId = () => Number(Object.keys(store.get('nodes'))[0] ?? 8453)

  const siteOf = (origin: string): Site | undefined => store.get('sites')[origin]

  const accountsOf = (origin: string): readonly Address[] => siteOf(origin)?.accounts ?? []

  const chainIdOf = (origin: string): number => siteOf(origin)?.chainId ?? firstChainId()

  async function save(site: Site): Promise<void> {
    await store.set({ sites: { ...store.get('sites'), [site.origin]: site } })
  }

  const seenBy = ({ origin }: PageDocument) =>
    [
      { event: 'accountsChanged', value: accountsOf(origin) },
      { event: 'chainChanged', value: toHex(chainIdOf(origin)) },
    ] as const

  /** Makes a change, and notifies the pages whose accounts or chain it changes. */
  async function notifying(change: () => Promise<void>): Promise<void> {
    const documents = Object.values(store.get('documents'))
    const before = documents.map(seenBy)
    await change()
    const sent = documents.flatMap((document, at) =>
      seenBy(document)
        .filter(({ value }, which) => `${value}` !== `${before[at]?.[which]?.value}`)
        .map((event) => platform.sendToDocument(document, event)),
    )
    await Promise.all(sent)
  }

  return {
    siteOf,
    accountsOf,
    list: (): readonly Site[] => Object.values(store.get('sites')),
    chainIdOf,
    notifying,

    remember: async (document: PageDocument): Promise<void> => {
      const { [document.tabId]: before, ...others } = store.get('documents')
      if (before?.documentId === document.documentId) return
      const entries = [
        ...Object.entries(others).slice(1 - mostDocuments),
        [document.tabId, document] as const,
      ]
      await store.set({ documents: Object.fromEntries(entries) })
    },

    setAccounts: (origin: string, accounts: readonly Address[]): Promise<void> =>
      notifying(() => {
        const { [origin]: before, ...others } = store.get('sites')
        if (accounts.length === 0) return store.set({ sites: others })
        return save({
          chainId: firstChainId(),
          ...before,
          origin,
          accounts,
          lastUsedAt: platform.now(),
        })
      }),

    setChain: async (origin: string, chainId: number): Promise<void> => {
      const site = siteOf(origin)
      if (site === undefined || site.chainId === chainId) return
      await notifying(() => save({ ...site, chainId }))
    },

    used: async (origin: string): Promise<void> => {
      const site = siteOf(origin)
      if (site !== undefined) await save({ ...site, lastUsedAt: platform.now() })
    },
  }
}
