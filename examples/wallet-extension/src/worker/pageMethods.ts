import { redeemIntentCapability, redeemIntentVersion } from 'redeemkit/evm'
import { type Address, type Hex, isAddress, isHex, stringToHex, toHex } from 'viem'
import { PageRequestError } from '../pageMessages.ts'
import { type CallBatch, callsStatus, readCalls, readChainId, transactionsOf } from './callBatches.ts'
import type { Networks } from './createNetworks.ts'
import type { Queue, QueueEntry } from './createQueue.ts'
import type { Sites } from './createSites.ts'
import type { PageDocument } from './platform.ts'
import { readTransaction } from './prepareTransactions.ts'
import { typedDataOf } from './signAsk.ts'

/** The browser reports `document`, the sender. */
type PageCall = { document: PageDocument; requestId: string; params: readonly unknown[] }

/** Answers a page's method. If it returns `undefined`, the request waits for the user. */
type Method = (call: PageCall) => Promise<{ result: unknown } | undefined>

/** Methods that a connected site may ask the chain's node. They change nothing. */
const nodeMethods = [
  'eth_blockNumber',
  'eth_call',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getCode',
  'eth_getLogs',
  'eth_getStorageAt',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_maxPriorityFeePerGas',
  'web3_clientVersion',
]

/** Methods that are not in this map return 4200 immediately. */
export function pageMethods(parts: {
  sites: Sites
  networks: Networks
  queue: Queue
  canShow: (ask: QueueEntry['ask'], page: QueueEntry['page']) => Promise<boolean>
  prepare: (entry: QueueEntry) => void
  batchesOf: (origin: string) => readonly CallBatch[]
}): ReadonlyMap<string, Method> {
  const { sites, networks, queue, canShow, prepare, batchesOf } = parts

  function accountOf({ document }: PageCall, address: unknown): Address {
    if (typeof address !== 'string' || !isAddress(address, { strict: false }))
      throw new PageRequestError('invalidParams', 'The account is not an address.')
    const account = sites
      .accountsOf(document.origin)
      .find((one) => one.toLowerCase() === address.toLowerCase())
    if (account === undefined) throw new PageRequestError('unauthorized')
    return account
  }

  async function ask(call: PageCall, what: QueueEntry['ask']): Promise<undefined> {
    const { document, requestId } = call
    // A request that the window cannot show would block the window.
    if (!(await canShow(what, { document, requestId })))
      throw new PageRequestError('invalidParams', 'The wallet cannot show this request.')
    const entry = await queue.add(what, { document, requestId })
    if ('prepared' in what) prepare(entry)
  }

  const connect =
    (method: 'eth_requestAccounts' | 'wallet_requestPermissions'): Method =>
    async (call) => {
      const { origin } = call.document
      const accounts = sites.accountsOf(origin)
      if (method === 'eth_requestAccounts' && accounts.length > 0) return { result: accounts }
      if (method === 'wallet_requestPermissions' && !Object.hasOwn(Object(call.params[0]), 'eth_accounts'))
        throw new PageRequestError('invalidParams', 'The only permission is eth_accounts.')
      return ask(call, { kind: 'connect', method, isNew: sites.siteOf(origin) === undefined })
    }

  const switchChain: Method = async ({ document, params }) => {
    const { origin } = document
    if (sites.siteOf(origin) === undefined) throw new PageRequestError('unauthorized')
    const chainId = readChainId(Object(params[0]).chainId)
    if (!networks.isKnown(chainId)) throw new PageRequestError('unknownChain')
    await sites.setChain(origin, chainId)
    return { result: null }
  }

  const methods: Record<string, Method> = {
    eth_chainId: async ({ document }) => ({ result: toHex(sites.chainIdOf(document.origin)) }),
    net_version: async ({ document }) => ({ result: `${sites.chainIdOf(document.origin)}` }),
    eth_accounts: async ({ document }) => ({ result: sites.accountsOf(document.origin) }),
    eth_requestAccounts: connect('eth_requestAccounts'),
    wallet_requestPermissions: connect('wallet_requestPermissions'),
    wallet_getPermissions: async ({ document }) => ({
      result: permissionsOf(document.origin, sites.accountsOf(document.origin)),
    }),
    wallet_revokePermissions: async ({ document }) => {
      await sites.setAccounts(document.origin, [])
      return { result: null }
    },
    wallet_switchEthereumChain: switchChain,
    // The wallet supports only redeemkit's networks. Adding one of them switches to it, as EIP-3085 allows.
    wallet_addEthereumChain: switchChain,
    wallet_getCapabilities: async (call) => {
      accountOf(call, call.params[0])
      const [, asked] = call.params
      const ids = Array.isArray(asked) ? asked.map(Number) : undefined
      const chains = networks.list().filter(({ chainId }) => ids === undefined || ids.includes(chainId))
      return { result: Object.fromEntries(chains.map(({ chainId }) => [toHex(chainId), capabilities])) }
    },
    personal_sign: async (call) => {
      const [data, address] = call.params
      if (typeof data !== 'string') throw new PageRequestError('invalidParams', 'The message is not text.')
      return ask(call, {
        kind: 'message',
        method: 'personal_sign',
        account: accountOf(call, address),
        chainId: sites.chainIdOf(call.document.origin),
        params: call.params,
        data: bytesOf(data),
      })
    },
    eth_signTypedData_v4: async (call) => {
      const [address, typedData] = call.params
      checkTypedData(typedData)
      return ask(call, {
        kind: 'typedData',
        method: 'eth_signTypedData_v4',
        account: accountOf(call, address),
        chainId: sites.chainIdOf(call.document.origin),
        params: call.params,
      })
    },
    eth_sendTransaction: async (call) => {
      const chainId = sites.chainIdOf(call.document.origin)
      const { from } = readTransaction(call.params[0], chainId)
      const account = accountOf(call, from)
      if (!networks.hasNode(chainId)) throw new PageRequestError('chainDisconnected')
      return ask(call, {
        kind: 'transaction',
        method: 'eth_sendTransaction',
        account,
        chainId,
        params: call.params,
        prepared: { state: 'preparing' },
      })
    },
    wallet_sendCalls: async (call) => {
      const { origin } = call.document
      const [batch] = call.params
      const { from = sites.accountsOf(origin)[0], chainId, id } = readCalls(batch, networks.isKnown)
      if (from === undefined) throw new PageRequestError('unauthorized')
      const account = accountOf(call, from)
      transactionsOf(batch, account)
      if (!networks.hasNode(chainId)) throw new PageRequestError('chainDisconnected')
      const isOpen = ({ ask: one, page }: QueueEntry) =>
        one.kind === 'calls' && one.batchId === id && page?.document.origin === origin
      if (queue.all().some(isOpen) || batchesOf(origin).some((one) => one.id === id))
        throw new PageRequestError('duplicateId')
      return ask(call, {
        kind: 'calls',
        method: 'wallet_sendCalls',
        account,
        chainId,
        params: call.params,
        batchId: id,
        prepared: { state: 'preparing' },
      })
    },
    wallet_getCallsStatus: async ({ document, params }) => {
      const batch = batchesOf(document.origin).find(({ id }) => id === params[0])
      if (batch === undefined) throw new PageRequestError('unknownBundle')
      return { result: await callsStatus(batch, networks) }
    },
  }
  for (const method of nodeMethods)
    methods[method] = async ({ document, params }) => {
      const site = sites.siteOf(document.origin)
      if (site === undefined) throw new PageRequestError('unauthorized')
      return { result: await networks.nodeOf(site.chainId).request({ method, params }) }
    }
  // A map, because a plain object also has `constructor`.
  return new Map(Object.entries(methods))
}

/** EIP-5792: the wallet reads the purchase behind a permit, and sends the calls of a batch one after another. */
const capabilities = {
  [redeemIntentCapability]: { supported: true, version: redeemIntentVersion },
  atomic: { status: 'unsupported' },
}

/** Permissions (EIP-2255). */
export function permissionsOf(origin: string, accounts: readonly Address[]): object[] {
  if (accounts.length === 0) return []
  const caveats = [{ type: 'restrictReturnedAccounts', value: accounts }]
  return [{ invoker: origin, parentCapability: 'eth_accounts', caveats }]
}

/** `data` is hex or text. */
function bytesOf(data: string): Hex {
  return isHex(data) && data.length % 2 === 0 ? data : stringToHex(data)
}

function checkTypedData(value: unknown): void {
  try {
    const { types, primaryType, domain, message } = typedDataOf(value)
    if (
      [types, domain, message].every((one) => typeof one === 'object' && one !== null) &&
      typeof primaryType === 'string'
    )
      return
  } catch {
    // not JSON
  }
  throw new PageRequestError('invalidParams', 'The typed data is invalid.')
}
