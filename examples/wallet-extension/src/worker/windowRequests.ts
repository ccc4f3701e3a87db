import { NoUsdcAuthorizationError, usdcToken } from 'redeemkit/evm'
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hexToBigInt,
  isAddress,
  isHex,
  parseAbi,
} from 'viem'
import {
  AskError,
  type Balance,
  type Network,
  type Pin,
  type RequestName,
  type Requests,
  type Settings,
} from '../messages.ts'
import type { ApprovalParts, Approvals } from './createApprovals.ts'
import type { Networks } from './createNetworks.ts'
import type { Store } from './openStore.ts'
import { readPin } from './pins.ts'
import { cancelAsk } from './redeemBook.ts'

type Handlers = { [name in RequestName]: (ask: Requests[name]['ask']) => Answer<Requests[name]['answer']> }

/** What a handler may return. For a message without an answer, a function may return `void`. */
type Answer<value> = value extends undefined ? Promise<void> : value | Promise<value>

export type WindowParts = ApprovalParts & { approvals: Approvals }

const whileLocked: readonly RequestName[] = [
  'state',
  'createVault',
  'unlock',
  'lock',
  'eraseVault',
  'reject',
  'closeEmpty',
  'saveSettings',
]

export function windowRequests(parts: WindowParts) {
  const handlers: Handlers = { ...walletHandlers(parts), ...moneyHandlers(parts), ...settingsHandlers(parts) }
  return async (name: RequestName, ask: unknown): Promise<unknown> => {
    if (!Object.hasOwn(handlers, name)) throw new AskError('invalidRequest', 'This request does not exist.')
    if (!whileLocked.includes(name) && parts.vault.state() !== 'unlocked')
      throw new AskError('locked', 'The wallet is locked.')
    // A window of the extension sends the type of data that this name requires.
    const handler = handlers[name] as (ask: unknown) => unknown
    return handler(ask)
  }
}

function walletHandlers({ store, vault, queue, sites, networks, approvals, now }: WindowParts) {
  return {
    state: () => ({
      vault: vault.state(),
      accounts:
        vault.state() === 'unlocked'
          ? store.get('accounts').map(({ address, name, from }) => ({ address, name, from }))
          : [],
      selected: vault.state() === 'unlocked' ? store.get('selected') : undefined,
      networks: networks.list(),
      waiting: queue.waiting().length,
      settings: store.get('settings'),
    }),
    createVault: async ({ password, secret }) => {
      await vault.create(password, secret)
      await store.set({ usedAt: now() })
    },
    unlock: async ({ password }) => {
      await vault.unlock(password)
      await store.set({ usedAt: now() })
    },
    lock: () => vault.lock(),
    eraseVault: async () => {
      await approvals.reject(() => true)
      const documents = store.get('documents')
      await sites.notifying(async () => {
        await store.clear()
        // The open pages are kept, so that they are notified when a new vault is created.
        await store.set({ documents })
      })
    },
    importSecret: ({ secret, name }) => vault.importSecret(secret, name),
    addAccount: ({ name }) => vault.deriveAccount(name),
    renameAccount: async ({ address, name }) => {
      const title = nameOf(name)
      if (title === '') throw new AskError('invalidRequest', 'The name is empty.')
      await store.set({
        accounts: store
          .get('accounts')
          .map((one) => (one.address === address ? { ...one, name: title } : one)),
      })
    },
    selectAccount: async ({ address }) => {
      checkAccount(store, address)
      await store.set({ selected: address })
    },
    approvals: () => approvals.list(),
    approve: ({ id, digests, accounts = [] }) => approvals.approve(id, { digests, accounts }),
    reject: async ({ id, isForAllOfSite = false }) => {
      const origin = queue.waiting().find((one) => one.id === id)?.page?.document.origin
      await approvals.reject(
        (entry) =>
          entry.id === id ||
          (isForAllOfSite && origin !== undefined && entry.page?.document.origin === origin),
        isForAllOfSite,
      )
    },
    closeEmpty: ({ windowId }) => queue.closeEmpty(windowId),
    sites: () => sites.list(),
    setSiteAccounts: async ({ origin, accounts }) => {
      const own = store.get('accounts').map(({ address }) => address)
      if (sites.siteOf(origin) === undefined)
        throw new AskError('invalidRequest', 'The site is not connected.')
      await sites.setAccounts(
        origin,
        accounts.filter((address) => own.includes(address)),
      )
    },
  } satisfies Partial<Handlers>
}

function checkAccount(store: Store, address: Address): void {
  if (!store.get('accounts').some((one) => one.address === address))
    throw new AskError('invalidRequest', 'The wallet does not have this account.')
}

function moneyHandlers({ store, queue, networks, approvals, book, links }: WindowParts) {
  return {
    balances: ({ address }) => readBalances(networks, { address, pins: store.get('pins') }),
    redeems: ({ address }) => book.entries(address),
    refreshRedeems: () => book.refresh(),
    cancelPermit: async ({ redeemId }) => {
      const entry = book.list().find(({ id, outcome }) => id === redeemId && outcome !== 'redeemed')
      if (entry === undefined)
        throw new AskError('invalidRequest', 'This permit does not exist or was redeemed.')
      const added = await queue.add(cancelAsk(entry))
      void approvals.prepare(added)
      return { approvalId: added.id }
    },
    readPaymentLink: ({ link }) => links.read(link),
    payLink: async ({ link, account }) => {
      checkAccount(store, account)
      const { id } = await queue.add(await links.prepare(link, account))
      return { approvalId: id }
    },
  } satisfies Partial<Handlers>
}

function settingsHandlers({ store, sites, networks }: WindowParts) {
  return {
    pins: () => store.get('pins'),
    savePin: async ({ pin }) => {
      const read = readPin(pin)
      const others = store.get('pins').filter(({ id }) => id !== read.id)
      await store.set({ pins: [...others, read] })
      return read
    },
    removePin: ({ id }) => store.set({ pins: store.get('pins').filter((one) => one.id !== id) }),
    names: () => store.get('names'),
    saveName: async ({ address, name }) => {
      // If one name has no address, `inspect` refuses every request.
      if (!isAddress(address)) throw new AskError('invalidRequest', 'This is not an address.')
      const key = address.toLowerCase() as Address // A lower-cased address is still an address.
      const { [key]: _, ...others } = store.get('names')
      const title = nameOf(name)
      await store.set({ names: title === '' ? others : { ...others, [key]: title } })
    },
    saveSettings: async (settings) => {
      const changed: Settings = { ...store.get('settings'), ...settings }
      const { lockAfterMinutes } = changed
      if (!Number.isInteger(lockAfterMinutes) || lockAfterMinutes < 1 || lockAfterMinutes > 240)
        throw new AskError('invalidRequest', 'The wallet locks after 1 to 240 minutes.')
      await store.set({ settings: changed })
    },
    setNode: async ({ chainId, rpcUrl }) => {
      if (rpcUrl !== undefined) await networks.checkNode(chainId, rpcUrl)
      // Read after the check, during which pages and other nodes may have been added.
      const { [chainId]: _, ...others } = store.get('nodes')
      const nodes = rpcUrl === undefined ? others : { ...others, [chainId]: rpcUrl }
      // A site that is not connected uses the first chain with a node.
      await sites.notifying(() => store.set({ nodes }))
    },
  } satisfies Partial<Handlers>
}

/** Cuts a name between characters: if one name has half of a character, `inspect` refuses every request. */
const nameOf = (name: string) => [...name.trim()].slice(0, 40).join('')

const creditsAbi = parseAbi(['function creditsOf(string creditSeed, address wallet) view returns (uint256)'])

async function readBalances(
  networks: Networks,
  { address, pins }: { address: Address; pins: readonly Pin[] },
): Promise<Balance[]> {
  const withNode = networks.list().filter(({ chainId }) => networks.hasNode(chainId))
  return Promise.all(withNode.map((network) => readBalance(networks, { network, address, pins })))
}

async function readBalance(
  networks: Networks,
  { network, address, pins }: { network: Network; address: Address; pins: readonly Pin[] },
): Promise<Balance> {
  const { chainId, coin } = network
  const read = async (method: string, params: unknown): Promise<bigint | undefined> => {
    try {
      const answer = await networks.nodeOf(chainId).request({ method, params })
      return isHex(answer) && answer.length > 2 ? hexToBigInt(answer) : undefined
    } catch {
      return undefined
    }
  }
  const call = (to: Address, data: Hex) => read('eth_call', [{ to, data }, 'latest'])
  const usdc = usdcOf(chainId)
  const [coins, dollars, credits] = await Promise.all([
    coin === undefined ? undefined : read('eth_getBalance', [address, 'latest']),
    usdc && call(usdc, encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [address] })),
    Promise.all(
      pins
        .filter((pin) => pin.chainId === chainId)
        .map(async ({ id, name, creditsContract, creditSeed }) => {
          const args = [creditSeed, address] as const
          const data = encodeFunctionData({ abi: creditsAbi, functionName: 'creditsOf', args })
          return { pinId: id, name, amount: await call(creditsContract, data) }
        }),
    ),
  ])
  return { chainId, coin: coins, usdc: dollars, credits }
}

function usdcOf(chainId: number): Address | undefined {
  try {
    return usdcToken({ chainId }).address
  } catch (error) {
    if (error instanceof NoUsdcAuthorizationError) return undefined
    throw error
  }
}
