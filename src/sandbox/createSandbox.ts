import type { Hex, HttpRequestError, TimeoutError } from 'viem'
import type { ChainFamily, Environment, EvmBlockchain } from '../core/blockchains.ts'
import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import type { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { headerNames } from '../core/headerNames.ts'
import { permitDefaultSeconds } from '../core/limits.ts'
import type { Clock, InvalidClockError } from '../core/time/clock.ts'
import type { ChainReadError } from '../evm/client/chainReadError.ts'
import { checkAddress } from '../evm/values/checkAddress.ts'
import type { AuthVerifier } from './chains/authVerifier.ts'
import { connectEvmChain } from './chains/connectEvmChain.ts'
import type { EvmChain } from './chains/evmChain.ts'
import { checkSandboxOptions } from './checkSandboxOptions.ts'
import { InvalidSandboxOptionsError } from './errors.ts'
import type { SandboxApiKey, SandboxMerchant } from './merchantOptions.ts'
import { parseSelector } from './parseSelector.ts'
import { grouped } from './process/grouped.ts'
import { type MovableClock, movableClock } from './process/movableClock.ts'
import { createServiceRelayer } from './relayer/createServiceRelayer.ts'
import type { RelayerStep } from './relayer/relayerStep.ts'
import { reportable } from './reportable.ts'
import type { RequestLogEntry } from './requestLog.ts'
import type { SandboxStore } from './sandboxStore.ts'
import { authVerifiers } from './service/auth/authVerifiers.ts'
import { background } from './service/background.ts'
import { createServiceLoop } from './service/createServiceLoop.ts'
import { createApp } from './service/http/createApp.ts'
import { defaultRateLimit } from './service/http/rateLimiter.ts'
import { setWhitelist } from './service/merchant/setWhitelist.ts'
import { createRedeemQueue } from './service/redeem/redeemQueue.ts'
import { routes } from './service/routes.ts'
import { createAffordances } from './service/sandbox/affordances.ts'
import { advanceChains } from './service/sandbox/chainTimes.ts'
import type { Service } from './service/service.ts'
import { loadStellarSettlement } from './service/settlement/loadStellarSettlement.ts'
import type { StellarSettlementOptions } from './service/settlement/stellarSettlement.ts'
import { setPlan } from './service/subscription/setPlan.ts'
import type { SolanaSponsor, StellarSponsors } from './service/transfers/transferChain.ts'
import { transferChains } from './service/transfers/transferChains.ts'
import { setWebhooks } from './service/webhooks/setWebhooks.ts'
import type { ServiceKind } from './serviceKind.ts'
import type { DatabaseWork } from './store/database.ts'
import type { DatabaseStatementError, DatabaseUnavailableError, UnknownRowError } from './store/errors.ts'
import { forgetTransfers } from './store/forgetTransfers.ts'
import { restoreClock } from './store/keptClock.ts'
import type { FolderInUseError } from './store/lockFolder.ts'
import { lockIn } from './store/lockIn.ts'
import { openStore, type Store } from './store/openStore.ts'
import { queuePending } from './store/queuePending.ts'
import type { Reference } from './store/reference.ts'
import { setDeployments } from './store/setDeployments.ts'
import { setMerchants } from './store/setMerchants.ts'
import { transferBlockchains } from './store/states.ts'
import { toStore } from './store/toStore.ts'

/**
 * The payments service as an app over chains that already run. Opens nothing: no port, no process, no database until the
 * first request.
 *
 * @param options.chains chains that redeems happen on, with a deployed credits contract and an account that has its
 * operator and minter roles
 * @returns `app.request(path)` answers like the service; `start` picks up what a killed process left open; `stop` closes
 * @throws {@link InvalidSandboxOptionsError} when the options contradict themselves; UnknownNetworkError, InvalidAddressError
 * and what `usdcToken` of `redeemkit/evm` throws for a chain that cannot be used
 * @throws by what it returns: FolderInUseError when the database opens, ChainReadError when a node does not take a transaction
 * @example
 * ```ts
 * import { createSandbox } from '@redeemkit/sandbox'
 * declare const base: createSandbox.ChainOptions // a chain that has the credits contract already
 * const merchants = [{ merchantId: 'shop', creditSeed: 'shop', apiKey: 'sk_sandbox_shop' }]
 * const sandbox = createSandbox({ environment: 'sandbox', chains: [base], merchants })
 * const answer = await sandbox.app.request('/api/utils/contract-address?blockchain=base')
 * ```
 */
export function createSandbox(options: createSandbox.Options): Sandbox {
  checkSandboxOptions(options)
  const { environment = 'sandbox', onLog } = options
  const onError: Service['onError'] =
    options.onError && ((error, request) => options.onError?.(reportable(error), request))
  const now = movableClock(options.now)
  const chains = new Map(
    options.chains.map((chain) => [chain.blockchain, connectEvmChain(chain, environment)]),
  )
  const store = storeOf(options, { chains, clock: now, onOpen: () => relayer.wake() })
  const hasAffordances = environment !== 'prod' && options.affordances !== false
  const database = async () => (await store.open()).database
  const queue = async () => (await store.open()).queue
  const kind = options.service ?? 'bound'
  const relayer = createServiceRelayer({
    store: store.open,
    chains,
    now,
    probe: options.probe,
    onError,
    // Made of the service, which has this relayer.
    background: () => work,
  })
  const service: Service = {
    kind,
    database,
    queue,
    now,
    hearClock: clockListener(store.opened, now),
    headers: headerNames(options.headerPrefix),
    environment,
    chains,
    relayer,
    redeemQueue: createRedeemQueue({
      database,
      relayer,
      now,
      kind,
      isShared: async () => (await store.open()).isShared,
    }),
    authVerifier: authVerifiers({ environment, chains, own: options.authVerifiers ?? {} }),
    transferChain: transferChains({
      environment,
      now,
      solana: options.solana,
      stellar: options.stellar,
    }),
    stellarSettlement: loadStellarSettlement(
      options.stellar?.settlement && {
        ...options.stellar.settlement,
        rpcUrl: options.stellar.rpcUrl,
        environment,
        now,
      },
    ),
    settings: settingsOf(options),
    affordances: hasAffordances ? createAffordances(now) : undefined,
    onError,
    onLog,
  }
  const work = background(service, { wake: () => loop.wake() })
  const loop = createServiceLoop(service, {
    signedAt: () => now() - now.offsetMs(),
    headerPrefix: options.headerPrefix,
  })
  const chainOf = (blockchain: EvmBlockchain | undefined) => findChain(chains, blockchain)
  return {
    app: createApp(service, routes),
    start: async () => {
      await store.open()
      // A chain that was made now is not yet where the clock was put.
      if (now.offsetMs() > 0) await advanceChains(service)
      loop.start()
      await relayer.start()
    },
    stop: async () => {
      await Promise.all([relayer.stop(), loop.stop()])
      await store.close()
    },
    allowFactory: ({ factory, blockchain }) => {
      chainOf(blockchain).walletFactories.add(checkAddress(factory, 'factory'))
    },
    whitelist: async (given) => {
      const { blockchain, creditSeed, target, selector, ...entry } = checkOptions(given, entryKinds)
      await setWhitelist(service, {
        ...entry,
        selector: selector === undefined ? undefined : parseSelector(selector, 'selector'),
        allowed: entry.allowed ?? true,
        chain: chainOf(blockchain),
        target: checkAddress(target, 'target'),
        creditSeed: creditSeed ?? firstSeed(options),
      })
    },
  }
}

export declare namespace createSandbox {
  type Options = {
    chains: readonly ChainOptions[]
    merchants: readonly MerchantOptions[]
    /**
     * Which kind of payments service is played (PROTOCOL.md 4.6). For `unbound` the chains have its contract, too. Default
     * `bound`.
     */
    service?: ServiceKind | undefined
    /** Default `sandbox`. */
    environment?: Environment | undefined
    /** Folder for the database. Default: memory. */
    dataDir?: string | undefined
    /**
     * PostgreSQL server for the rows, `postgresql://user:password@host:port/database`, in the schema `redeemkit`. Several
     * services on the same chains, with the same merchants, may share it.
     */
    databaseUrl?: string | undefined
    /** Opens the database, in place of both: called at the first use, and again when it failed. */
    store?: (() => Promise<SandboxStore>) | undefined
    /** The service's clock in milliseconds. Default `Date.now`. */
    now?: Clock | undefined
    /** Beginning of the service's header names. Default `x-svc-`. */
    headerPrefix?: string | undefined
    /** Who pays for gas: `merchant` means that customers are charged nothing. Default `customer`. */
    gasFeePayer?: 'customer' | 'merchant' | undefined
    /** Redeem calls need a session key or a signed message. Default false: the signed permit is the proof. */
    requireSignIn?: boolean | undefined
    /** Which USDC authorization customers are asked for. Default `ReceiveWithAuthorization`. */
    usdcAuthorizationType?: 'ReceiveWithAuthorization' | 'TransferWithAuthorization' | undefined
    /** How long a message to sign is good for. Default 1800; at most 3600. */
    permitSeconds?: number | undefined
    /** Where the service is reached. Without it, wallets sign in on this machine only: at localhost and 127.0.0.1. */
    publicUrl?: string | undefined
    /**
     * Origins of the pages that may call the service, such as `https://shop.example`; their own address stands in the sign-in
     * texts that they ask for, since wallets compare it with the page. Pages on this machine may always call. Default: none.
     */
    allowedOrigins?: readonly string[] | undefined
    /**
     * Names under which the service is reached, as `pay.test` or `pay.test:8080`, beside those of this machine and `publicUrl`.
     * Requests for another host are refused: a page could have its own name point here. Default: none.
     */
    allowedHosts?: readonly string[] | undefined
    /** Requests of one address, and of one key: so many a second, so many at once. Default: 2000 and 10,000; false: no limit. */
    rateLimit?: { perSecond: number; burst: number } | false | undefined
    /** Whether a developer on this machine may move the clock and the like, under `/sandbox`. Default true; never in `prod`. */
    affordances?: boolean | undefined
    /** A Solana node, and who sponsors USDC transfers there. Default: none are settled. */
    solana?: (SolanaSponsor & FreshChain) | undefined
    /**
     * A Stellar RPC server, and who sponsors USDC transfers there. Default: none are settled. `settlement`: the contract that
     * settles payments (PROTOCOL.md 10.2); without it those that need Stellar are refused.
     */
    stellar?:
      | (StellarSponsors & { settlement?: StellarSettlementOptions | undefined } & FreshChain)
      | undefined
    /** Sign-in of your own for a family of chains. Default: all three. */
    authVerifiers?: Partial<Record<ChainFamily, AuthVerifier>> | undefined
    /**
     * Told of every error before it is answered, and of those in the background. Of one that is not ours its name, its code and
     * where it came from are told, since it may quote what was sent.
     */
    onError?: ((error: unknown, request?: { requestId: string }) => void) | undefined
    /** Told of every request that was answered, without its headers, query and body: no secret is in it. */
    onLog?: ((entry: RequestLogEntry) => void) | undefined
    /**
     * For tests of crashes only: called after the relayer has journalled a transaction, and after it has broadcast it. The
     * reference says what it is for.
     */
    probe?: ((step: RelayerStep, transaction: { reference: Reference }) => void | Promise<void>) | undefined
  }
  type FreshChain = {
    /** The chain was started just now: what the database knows of transfers there is from an earlier chain. */
    fresh?: boolean | undefined
  }
  type MerchantOptions = SandboxMerchant
  type ApiKeyOptions = SandboxApiKey
  type ChainOptions = connectEvmChain.Options
  type DestinationOptions = connectEvmChain.DestinationOptions
  /** At the making; and by what it returns, which opens the database and sends transactions. What requests run into is answered. */
  // Those of the store and the relayer by class: their modules would bring the database's types into the declarations.
  type ErrorType =
    | checkSandboxOptions.ErrorType
    | connectEvmChain.ErrorType
    | FolderInUseError
    | UnknownRowError
    | DatabaseUnavailableError
    | DatabaseStatementError
    | ChainReadError
    // A node that `start` puts the clock of, by viem's own words.
    | HttpRequestError
    | TimeoutError
    | InvalidClockError
    | InvalidOptionError
}

/** The service's HTTP side: a fetch handler, as every server of JavaScript takes one. */
export type SandboxApp = {
  /** Answers a request, behind a server: `serve({ fetch: app.fetch })`. */
  fetch: (request: Request) => Response | Promise<Response>
  /** Answers a request without a server: `app.request('/api/…')`. */
  request: (input: string | URL | Request, init?: RequestInit) => Response | Promise<Response>
}

/** The service, not yet listening anywhere. */
export type Sandbox = {
  /** Answers requests: `app.request('/api/…')`, or `app.fetch` behind a server. */
  app: SandboxApp
  /** Opens the database and takes up what was left open. Requests do so by themselves. */
  start: () => Promise<void>
  /** Stops following transactions and closes the database. What is open stays in the journal. */
  stop: () => Promise<void>
  /** Puts a contract on a merchant's whitelist, and resolves when that is mined. */
  whitelist: (entry: WhitelistEntry) => Promise<void>
  /** From now on customers' wallets may be deployed through this factory (ERC-6492). */
  allowFactory: (options: { factory: Hex; blockchain?: EvmBlockchain | undefined }) => void
}

export type WhitelistEntry = {
  target: Hex
  /** The allowed function, by its 4 bytes or its signature: `buy(address,uint256)`. Any when absent. */
  selector?: string | undefined
  /** Default: the sandbox's first. */
  blockchain?: EvmBlockchain | undefined
  /** Default: the first merchant's. */
  creditSeed?: string | undefined
  /** Where `target` stands, when that is a decent destination. */
  chainId?: number | undefined
  minimumGas?: bigint | undefined
  /** False takes the entry off again. Default true. */
  allowed?: boolean | undefined
}

/** A misspelt `selector` would allow every function. */
const entryKinds: OptionKinds<WhitelistEntry> = {
  target: 'string',
  selector: 'any',
  blockchain: 'string?',
  creditSeed: 'string?',
  chainId: 'number?',
  minimumGas: 'any',
  allowed: 'boolean?',
}

/** The database, opened by the first who asks, with merchants and deployments as the options say. */
function storeOf(
  options: createSandbox.Options,
  context: { chains: ReadonlyMap<EvmBlockchain, EvmChain>; clock: MovableClock; onOpen: () => void },
): { open: () => Promise<Store>; opened: () => Promise<Store> | undefined; close: () => Promise<void> } {
  let opened: Promise<Store> | undefined
  let heartbeat: NodeJS.Timeout | undefined
  const open = async () => {
    const { dataDir, databaseUrl } = options
    const store =
      options.store === undefined ? await openStore({ dataDir, databaseUrl }) : toStore(await options.store())
    try {
      await lockIn(store.database, 'set up', async (work) => {
        await setUp(work, options, context)
        await queuePending(work, store.queue)
      })
      await restoreClock(store.database, context.clock)
    } catch (cause) {
      await store.close()
      throw cause
    }
    // What another process wrote and did not live to finish is found by looking.
    const look = () =>
      restoreClock(store.database, context.clock)
        // A database that is away is told by the pass that is woken here; the clock is looked at again by the next look.
        .catch(() => {})
        .then(context.onOpen)
    if (store.isShared) heartbeat = setInterval(look, heartbeatMs).unref()
    // What a former process left open is taken up again.
    context.onOpen()
    return store
  }
  return {
    open: () => {
      opened ??= open().catch((cause: unknown) => {
        // A server that is down now may be up at the next use.
        opened = undefined
        throw cause
      })
      return opened
    },
    opened: () => opened,
    close: async () => {
      clearInterval(heartbeat)
      if (opened !== undefined) await (await opened).close()
    },
  }
}

const heartbeatMs = 2_000

/** Hears how far another process has put the clock: by one statement for those who ask at the same time. */
function clockListener(opened: () => Promise<Store> | undefined, clock: MovableClock): () => Promise<void> {
  const hear = grouped<Store, undefined>(
    async (stores) => {
      for (const { database } of stores.slice(0, 1)) await restoreClock(database, clock)
      return stores.map(() => undefined)
    },
    { most: Number.POSITIVE_INFINITY },
  )
  return async () => {
    try {
      // What opens it takes the clock from it.
      const store = await opened()
      if (store?.isShared === true) await hear(store)
    } catch {
      // A database that is away is told by what needs it.
    }
  }
}

/** Merchants and deployments as the options say. */
async function setUp(
  work: DatabaseWork,
  options: createSandbox.Options,
  { chains, clock }: { chains: ReadonlyMap<EvmBlockchain, EvmChain>; clock: MovableClock },
): Promise<void> {
  await setMerchants(
    work,
    options.merchants.map(({ creditSeed, apiKey, apiKeys = [], ...merchant }) => ({
      ...merchant,
      keys: [{ key: apiKey }, ...apiKeys],
      creditSeed: creditSeed ?? merchant.merchantId,
    })),
  )
  await setWebhooks(work, options.merchants)
  for (const { merchantId, plans = [] } of options.merchants)
    for (const plan of plans) await setPlan(work, { merchantId, plan, at: new Date(clock()) })
  for (const blockchain of transferBlockchains)
    if (options[blockchain]?.fresh === true) await forgetTransfers(work, blockchain)
  await setDeployments(
    work,
    [...chains.values()].map(({ blockchain, chainId, creditsContract }) => ({
      blockchain,
      chainId,
      creditsContract,
      fresh: options.chains.some((chain) => chain.blockchain === blockchain && chain.fresh === true),
    })),
  )
}

function settingsOf(options: createSandbox.Options): Service['settings'] {
  return {
    gasFeePayer: options.gasFeePayer ?? 'customer',
    requireSignIn: options.requireSignIn ?? false,
    usdcAuthorizationType: options.usdcAuthorizationType ?? 'ReceiveWithAuthorization',
    permitSeconds: options.permitSeconds ?? permitDefaultSeconds,
    publicUrl: options.publicUrl,
    allowedOrigins: [...(options.allowedOrigins ?? [])],
    allowedHosts: (options.allowedHosts ?? []).map((host) => host.toLowerCase()),
    rateLimit: options.rateLimit === false ? undefined : (options.rateLimit ?? defaultRateLimit),
  }
}

/** The chain of that name; the sandbox's first, when none is named. */
function findChain(
  chains: ReadonlyMap<EvmBlockchain, EvmChain>,
  blockchain: EvmBlockchain | undefined,
): EvmChain {
  const chain = blockchain === undefined ? [...chains.values()][0] : chains.get(blockchain)
  if (chain !== undefined) return chain
  throw new InvalidSandboxOptionsError('There is no such chain in this sandbox.', {
    field: 'blockchain',
    fix: `Use one of ${[...chains.keys()].join(', ')}.`,
  })
}

function firstSeed({ merchants: [first] }: createSandbox.Options): string {
  if (first === undefined)
    throw new InvalidSandboxOptionsError('There is no merchant in this sandbox.', { field: 'merchants' })
  return first.creditSeed ?? first.merchantId
}
