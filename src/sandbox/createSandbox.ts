import { and, eq, inArray, like, notInArray, or, sql } from 'drizzle-orm'
import type { Hono } from 'hono'
import { createPublicClient, defineChain, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { ChainFamily, Environment, EvmBlockchain } from '../core/blockchains.ts'
import { BaseError } from '../core/errors/baseError.ts'
import { showValue } from '../core/errors/showValue.ts'
import { headerNames } from '../core/headerNames.ts'
import { permitDefaultSeconds } from '../core/limits.ts'
import { type Clock, InvalidClockError, readClock } from '../core/time/clock.ts'
import { networkOf } from '../evm/networks.ts'
import { usdcToken } from '../evm/usdcToken.ts'
import { checkAddress } from '../evm/values/checkAddress.ts'
import { carryMessages } from './relayer/carryMessages.ts'
import { createPauses } from './relayer/createPauses.ts'
import { createRelayer, type RelayerStep } from './relayer/createRelayer.ts'
import { finishBridge, finishRedeem } from './relayer/finishRedeem.ts'
import type { RelayerChain } from './relayer/relayerChain.ts'
import { finishJob, runJobs } from './relayer/runJobs.ts'
import type { AuthVerifier } from './service/auth/authVerifier.ts'
import { authVerifiers } from './service/auth/authVerifiers.ts'
import { hashSecret } from './service/auth/challenges.ts'
import { createApp } from './service/http/createApp.ts'
import type { AppEnv } from './service/http/route.ts'
import { setWhitelist } from './service/merchant/setWhitelist.ts'
import { routes } from './service/routes.ts'
import type { Destination, EvmChain, Service } from './service/service.ts'
import type { SolanaSponsor, StellarSponsors } from './service/transfers/transferChain.ts'
import { transferBlockchains } from './service/transfers/transferChain.ts'
import { transferChains } from './service/transfers/transferChains.ts'
import type { Database } from './store/database.ts'
import { openStore, type Store } from './store/openStore.ts'
import {
  bridgeMessages,
  deployments,
  intents,
  jobs,
  lanes,
  merchants,
  redeems,
  sessionKeys,
  transactions,
  usdcTransfers,
} from './store/tables.ts'

/**
 * The payments service as an app over chains that already run. Opens nothing: no port, no process, no database until the
 * first request.
 *
 * @param options.chains chains that redeems happen on, with a deployed credits contract and an account that has its
 * operator and minter roles
 * @returns `app.request(path)` answers like the service; `start` picks up what a killed process left open; `stop` closes
 * @throws {@link InvalidSandboxOptionsError} when the options contradict themselves
 * @example
 * ```ts
 * import { createSandbox } from 'redeemkit/sandbox'
 * declare const base: createSandbox.ChainOptions // a chain that has the credits contract already
 * const merchants = [{ merchantId: 'shop', creditSeed: 'shop', apiKey: 'sk_sandbox_shop' }]
 * const sandbox = createSandbox({ environment: 'sandbox', chains: [base], merchants })
 * const answer = await sandbox.app.request('/api/utils/contract-address?blockchain=base')
 * ```
 */
export function createSandbox(options: createSandbox.Options): Sandbox {
  checkOptions(options)
  const { environment = 'sandbox' } = options
  const now = () => readClock(options.now)
  const chains = new Map(options.chains.map((chain) => [chain.blockchain, toChain(chain, environment)]))
  if (chains.size !== options.chains.length)
    throw new InvalidSandboxOptionsError('A blockchain is named twice.', {
      field: 'chains',
      fix: 'One environment has one chain per blockchain.',
    })
  const { publicUrl } = options
  if (publicUrl !== undefined && !(URL.canParse(publicUrl) && /^https?:$/.test(new URL(publicUrl).protocol)))
    throw new InvalidSandboxOptionsError(`publicUrl is ${showValue(publicUrl)}.`, {
      field: 'publicUrl',
      fix: 'Give the address at which the service is reached, such as https://service.example.',
    })
  let opened: Promise<Store> | undefined
  const open = () => {
    opened ??= (async () => {
      const store = await (options.store?.() ?? openStore({ dataDir: options.dataDir }))
      await prepare(store.database, { options, chains })
      // Whatever a former process left open is taken up again.
      relayer.wake()
      return store
    })()
    return opened
  }
  const database = async () => (await open()).database

  const relayerChains = new Map<number, RelayerChain>()
  for (const chain of chains.values()) {
    for (const destination of chain.destinations.values()) relayerChains.set(destination.chainId, destination)
    relayerChains.set(chain.chainId, chain)
  }
  const destinationOf = (source: number, destination: number): Destination | undefined =>
    [...chains.values()].find(({ chainId }) => chainId === source)?.destinations.get(destination)
  const pauses = createPauses(now)
  const relayer = createRelayer({
    database,
    chains: relayerChains,
    now,
    probe: options.probe,
    onError: options.onError,
    onFinal: async (work, { row, receipt }) => {
      if (row.reference.startsWith('redeem/')) await finishRedeem(work, { row, receipt, now })
      if (row.reference.startsWith('bridge/')) await finishBridge(work, { row, receipt })
      if (row.reference.startsWith('mint/')) await finishJob(work, row)
    },
    onTick: async (store) => {
      const { onError } = options
      const jobsDue: boolean = await runJobs(store, { relayer, pauses, chains, onError })
      const messagesDue: boolean = await carryMessages(store, { relayer, pauses, destinationOf, onError })
      return jobsDue === true || messagesDue === true
    },
  })

  const service: Service = {
    database,
    now,
    headers: headerNames(options.headerPrefix),
    environment,
    chains,
    relayer,
    authVerifier: authVerifiers({ environment, chains, own: options.authVerifiers ?? {} }),
    transferChain: transferChains({
      environment,
      now,
      solana: options.solana,
      stellar: options.stellar,
    }),
    settings: {
      gasFeePayer: options.gasFeePayer ?? 'customer',
      requireSignIn: options.requireSignIn ?? false,
      usdcAuthorizationType: options.usdcAuthorizationType ?? 'ReceiveWithAuthorization',
      permitSeconds: options.permitSeconds ?? permitDefaultSeconds,
      publicUrl,
    },
    onError: options.onError,
  }
  const app = createApp(service, routes)
  const chainOf = (blockchain: EvmBlockchain | undefined): EvmChain => {
    const chain = blockchain === undefined ? [...chains.values()][0] : chains.get(blockchain)
    if (chain === undefined)
      throw new InvalidSandboxOptionsError('There is no such chain in this sandbox.', {
        field: 'blockchain',
        fix: `Use one of ${[...chains.keys()].join(', ')}.`,
      })
    return chain
  }
  return {
    app,
    start: async () => {
      await open()
      await relayer.start()
    },
    stop: async () => {
      await relayer.stop()
      if (opened !== undefined) await (await opened).close()
    },
    allowFactory: ({ factory, blockchain }) => {
      chainOf(blockchain).walletFactories.add(checkAddress(factory, 'factory'))
    },
    whitelist: async ({ blockchain, creditSeed, target, ...entry }) => {
      const chain = chainOf(blockchain)
      await setWhitelist(service, {
        ...entry,
        allowed: entry.allowed ?? true,
        chain,
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
    /** Default `sandbox`. */
    environment?: Environment | undefined
    /** Folder for the database. Default: memory. */
    dataDir?: string | undefined
    /** Opens the database, in place of `dataDir`: called once, at the first use. */
    store?: (() => Promise<Store>) | undefined
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
    /** A Solana node, and who sponsors USDC transfers there. Default: none are settled. */
    solana?: (SolanaSponsor & FreshChain) | undefined
    /** A Stellar RPC server, and who sponsors USDC transfers there. Default: none are settled. */
    stellar?: (StellarSponsors & FreshChain) | undefined
    /** Sign-in of your own for a family of chains. Default: all three. */
    authVerifiers?: Partial<Record<ChainFamily, AuthVerifier>> | undefined
    /** Told of every error before it is answered, and of those in the background. */
    onError?: ((error: unknown, request?: { requestId: string }) => void) | undefined
    /**
     * For tests of crashes only: called after the relayer has journalled a transaction, and after it has broadcast it. The
     * reference says what it is for: `redeem/…`, `bridge/…`, `mint/…`.
     */
    probe?: ((step: RelayerStep, transaction: { reference: string }) => void | Promise<void>) | undefined
  }
  type FreshChain = {
    /** The chain was started just now: what the database knows of transfers there is from another life. */
    fresh?: boolean | undefined
  }
  type MerchantOptions = {
    merchantId: string
    apiKey: string
    /** Name of the merchant's credit balance. Default: the merchant id. */
    creditSeed?: string | undefined
  }
  type ChainOptions = {
    blockchain: EvmBlockchain
    rpcUrl: string
    /** Default: the network's own of this environment. */
    chainId?: number | undefined
    creditsContract: Hex
    /** Private key of the account with the operator and minter roles; it pays for gas, and its USDC becomes credits. */
    operatorKey: Hex
    /** Private key of the account with the whitelist role. Default: whitelist requests cannot be approved here. */
    whitelisterKey?: Hex | undefined
    /** ERC-6492: factories that customers' wallets may be deployed through. Default none. */
    walletFactories?: readonly Hex[] | undefined
    /** Price of one whole native coin in US cents: a made-up, fixed one by default (3000 dollars). */
    nativePriceCents?: bigint | (() => bigint | Promise<bigint>) | undefined
    /** Most that the relayer pays on top of the base fee, wei per gas. Default: what the chain's other transactions pay. */
    maxPriorityFeePerGas?: bigint | undefined
    /** Where decent redeems are executed. */
    destinations?: readonly DestinationOptions[] | undefined
    /** The contract was deployed just now: what the database knows of this blockchain is from another life. */
    fresh?: boolean | undefined
  }
  type DestinationOptions = {
    chainId: number
    rpcUrl: string
    bridgeAdapter: Hex
    /** Private key of the account with the adapter's relayer role. */
    operatorKey: Hex
  }
  type ErrorType = InvalidSandboxOptionsError
}

/** The service, not yet listening anywhere. */
export type Sandbox = {
  /** Answers requests: `app.request('/api/…')`, or `app.fetch` behind a server. */
  app: Hono<AppEnv>
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
  /** The allowed function; any when absent. */
  selector?: Hex | undefined
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

/** What would otherwise be found out by the first customer. */
function checkOptions({ permitSeconds, now, chains }: createSandbox.Options): void {
  if (
    permitSeconds !== undefined &&
    !(Number.isInteger(permitSeconds) && permitSeconds >= 1 && permitSeconds <= 3_600)
  )
    throw new InvalidSandboxOptionsError(`permitSeconds is ${showValue(permitSeconds)}.`, {
      field: 'permitSeconds',
      fix: 'Give a whole number of seconds from 1 to 3600, or leave it out.',
    })
  try {
    readClock(now)
  } catch (cause) {
    if (!(cause instanceof InvalidClockError)) throw cause
    const { shortMessage, fix } = cause
    throw new InvalidSandboxOptionsError(shortMessage, { field: 'now', fix, cause })
  }
  for (const { nativePriceCents, maxPriorityFeePerGas } of chains) {
    if (typeof nativePriceCents !== 'function') checkAmount('nativePriceCents', nativePriceCents)
    checkAmount('maxPriorityFeePerGas', maxPriorityFeePerGas)
  }
}

function checkAmount(name: string, value: bigint | undefined): void {
  if (value === undefined || (typeof value === 'bigint' && value >= 0n)) return
  throw new InvalidSandboxOptionsError(`${name} is ${showValue(value)}.`, {
    field: `chains.${name}`,
    fix: 'Give a bigint that is not negative, such as 300_000n.',
  })
}

function toChain(options: createSandbox.ChainOptions, environment: Environment): EvmChain {
  const network = networkOf({ blockchain: options.blockchain, environment })
  const { chainId = network.chainId, nativePriceCents = 300_000n } = options
  const destinations = (options.destinations ?? []).map((destination): [number, Destination] => [
    destination.chainId,
    {
      chainId: destination.chainId,
      client: clientOf(destination.chainId, destination.rpcUrl),
      bridgeAdapter: checkAddress(destination.bridgeAdapter, 'destinations.bridgeAdapter'),
      operator: privateKeyToAccount(destination.operatorKey),
    },
  ])
  return {
    blockchain: options.blockchain,
    environment,
    chainId,
    client: clientOf(chainId, options.rpcUrl),
    creditsContract: checkAddress(options.creditsContract, 'chains.creditsContract'),
    usdc: network.usdc ? usdcToken({ chainId }).address : undefined,
    operator: privateKeyToAccount(options.operatorKey),
    whitelister:
      options.whitelisterKey === undefined ? undefined : privateKeyToAccount(options.whitelisterKey),
    walletFactories: new Set(
      (options.walletFactories ?? []).map((factory) => checkAddress(factory, 'walletFactories')),
    ),
    nativePriceCents: typeof nativePriceCents === 'function' ? nativePriceCents : () => nativePriceCents,
    maxPriorityFeePerGas: options.maxPriorityFeePerGas,
    destinations: new Map(destinations),
  }
}

function clientOf(chainId: number, rpcUrl: string) {
  const chain = defineChain({
    id: chainId,
    name: `chain ${chainId}`,
    nativeCurrency: { name: 'coin', symbol: 'COIN', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  return createPublicClient({
    chain,
    transport: http(rpcUrl, { retryCount: 1, retryDelay: 100, timeout: 15_000 }),
    pollingInterval: 100,
  })
}

/** Merchants as the options say, and nothing left of chains that were thrown away. */
async function prepare(
  database: Database,
  context: { options: createSandbox.Options; chains: ReadonlyMap<EvmBlockchain, EvmChain> },
): Promise<void> {
  const { options, chains } = context
  await database.transaction(async (work) => {
    // No hash is spelt so: keys that the options do not give are nobody's, and two merchants may trade theirs.
    await work.update(merchants).set({ apiKeyHash: sql`'none/' || ${merchants.merchantId}` })
    const named = options.merchants.map(({ merchantId }) => merchantId)
    await work.delete(sessionKeys).where(notInArray(sessionKeys.merchantId, named))
    for (const { merchantId, apiKey, creditSeed = merchantId } of options.merchants) {
      const row = { creditSeed, apiKeyHash: hashSecret(apiKey) }
      await work
        .insert(merchants)
        .values({ merchantId, ...row })
        .onConflictDoUpdate({ target: merchants.merchantId, set: row })
    }
    for (const blockchain of transferBlockchains)
      if (options[blockchain]?.fresh === true)
        await work.delete(usdcTransfers).where(eq(usdcTransfers.blockchain, blockchain))
    for (const { blockchain, chainId, creditsContract } of chains.values()) {
      const [known] = await work.select().from(deployments).where(eq(deployments.blockchain, blockchain))
      const same = known?.chainId === chainId && known.creditsContract === creditsContract
      const fresh = options.chains.find((chain) => chain.blockchain === blockchain)?.fresh === true
      if (known !== undefined && (!same || fresh)) {
        const chainIds = [chainId, known.chainId]
        await work.delete(intents).where(eq(intents.blockchain, blockchain))
        await work.delete(redeems).where(eq(redeems.blockchain, blockchain))
        await work.delete(jobs).where(and(eq(jobs.blockchain, blockchain), eq(jobs.status, 'pending')))
        await work.delete(bridgeMessages).where(inArray(bridgeMessages.sourceChainId, chainIds))
        await work.delete(transactions).where(inArray(transactions.chainId, chainIds))
        await work.delete(lanes).where(inArray(lanes.chainId, chainIds))
        // Its messages count from one again, so their names must be free; elsewhere the lanes and all they hold go on.
        await work
          .update(transactions)
          .set({ reference: sql`'gone/' || ${transactions.id} || '/' || ${transactions.reference}` })
          .where(or(...chainIds.map((source) => like(transactions.reference, `bridge/${source}/%`))))
      }
      const row = { chainId, creditsContract }
      await work
        .insert(deployments)
        .values({ blockchain, ...row })
        .onConflictDoUpdate({ target: deployments.blockchain, set: row })
    }
  })
}

function firstSeed({ merchants: [first] }: createSandbox.Options): string {
  if (first === undefined)
    throw new InvalidSandboxOptionsError('There is no merchant in this sandbox.', { field: 'merchants' })
  return first.creditSeed ?? first.merchantId
}

/** Options of a sandbox that contradict themselves. */
export class InvalidSandboxOptionsError extends BaseError {
  override readonly name = 'InvalidSandboxOptionsError'
}
