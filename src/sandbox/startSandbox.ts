import { randomBytes } from 'node:crypto'
import type { Environment, EvmBlockchain } from '../core/blockchains.ts'
import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import type { Clock } from '../core/time/clock.ts'
import type { startAnvil } from './chains/anvil/startAnvil.ts'
import type { ChainSetupError } from './chains/errors.ts'
import { checkSandboxOptions } from './checkSandboxOptions.ts'
import { createSandbox } from './createSandbox.ts'
import { movableClock } from './process/movableClock.ts'
import type { RunningSandbox, SandboxBlockchain } from './runningSandbox.ts'
import type { ServiceKind } from './serviceKind.ts'
import { chainsToStart } from './start/chainsToStart.ts'
import { type Closers, createClosers } from './start/createClosers.ts'
import { sandboxChains, sandboxTempo, serviceChains } from './start/describeChains.ts'
import { fundPeople, sandboxPeople } from './start/fundPeople.ts'
import { giveTo } from './start/giveTo.ts'
import { checkPort, listen } from './start/listen.ts'
import { openRoutes } from './start/openRoutes.ts'
import { startEvmChains } from './start/startEvmChains.ts'
import { checkPackages, startOtherChains } from './start/startOtherChains.ts'
import { openStore } from './store/openStore.ts'
import type { PackageNotInstalledError } from './withPackage.ts'

/**
 * The whole payments service on this machine: chains, contracts, people with credits and USDC, database, HTTP.
 *
 * Fresh chains have the real network's chain id and USDC at its real address; with `forkUrl` they are copies of real
 * ones. Listens on 127.0.0.1 only. Everything ends with `stop()`, and with the process.
 *
 * With `service: 'unbound'` it plays a service as they are in the field: others' nonces, errors and empty bodies. Its `pinned` have
 * `intentBound: false`, and `headerPrefix`, `merchantId`, `creditSeed` and `apiKey` are what a program of somebody else expects.
 *
 * @returns where the service listens, the merchant's API key, the people, the chains
 * @throws InvalidSandboxOptionsError, AnvilNotInstalledError, AnvilStartError, ChainSetupError, FolderInUseError,
 * PackageNotInstalledError, and what `createSandbox` throws
 * @see PROTOCOL.md 4.6, 12
 * @example
 * ```ts
 * import { startSandbox } from '@redeemkit/sandbox'
 * const sandbox = await startSandbox()
 * // createPaymentsClient({ baseUrl: sandbox.url, merchantId: sandbox.merchantId, … })
 * await sandbox.stop()
 * ```
 */
export async function startSandbox<service extends ServiceKind = 'bound'>(
  options?: startSandbox.Options & { service?: service | undefined },
): Promise<RunningSandbox<service>>
export async function startSandbox(options: startSandbox.Options = {}): Promise<RunningSandbox<ServiceKind>> {
  checkOptions(options, optionKinds)
  const { environment = 'sandbox', onProgress = () => {}, merchantId = 'sandbox-shop' } = options
  const { service = 'bound' } = options
  const { creditSeed = merchantId, apiKey = `sk_sandbox_${randomBytes(24).toString('hex')}` } = options
  const { apiKeys, jwtSecret = randomBytes(32).toString('base64url'), enforceCheckoutJwt, settings } = options
  const merchants = [{ merchantId, creditSeed, apiKey, apiKeys, jwtSecret, enforceCheckoutJwt, settings }]
  // One for the service and its chains: moved, it is later on all of them.
  const now = movableClock(options.now)
  // Before anything is started; `createSandbox` looks at the chains, too.
  checkSandboxOptions({ ...options, chains: [], merchants })
  await checkPort(options.port ?? 0)
  const closers = createClosers()
  try {
    const { chains, solana, stellar, tempo, store } = await openParts(options, {
      now,
      service,
      environment,
      creditSeed,
      onProgress,
      closers,
    })
    const sandbox = createSandbox({
      ...options,
      environment,
      now,
      store: async () => ({ ...store, close: async () => {} }),
      merchants,
      solana: solana && { ...solana.service, fresh: true },
      stellar: stellar && { ...stellar.service, fresh: true },
      chains: [
        ...serviceChains(chains, options),
        ...(tempo === undefined ? [] : [{ ...tempo.service, fresh: true }]),
      ],
    })
    closers.add(sandbox.stop)
    onProgress('Funding people')
    const people = sandboxPeople()
    await fundPeople(people, { chains, creditSeed })
    if (options.blockTimeSeconds !== undefined)
      for (const chain of chains) await chain.rpc.setBlockTime(options.blockTimeSeconds)
    await sandbox.start()
    const { url, close } = await listen({ fetch: sandbox.app.fetch, port: options.port ?? 0 })
    closers.add(close)
    onProgress(`Listening on ${url}`)
    return {
      url,
      service,
      headerPrefix: options.headerPrefix ?? 'x-svc-',
      merchantId,
      creditSeed,
      apiKey,
      jwtSecret,
      environment,
      people,
      chains: sandboxChains(chains, { environment, creditSeed, service }),
      ...(solana && { solana: solana.solana }),
      ...(stellar && { stellar: stellar.stellar }),
      ...(tempo && { tempo: sandboxTempo(tempo, service) }),
      whitelist: sandbox.whitelist,
      allowFactory: sandbox.allowFactory,
      ...giveTo(chains, { creditSeed }),
      app: sandbox.app,
      stop: closers.closeAll,
    }
  } catch (error) {
    // Why the start failed is worth more than what failed while it was taken back.
    await closers.closeAll().catch(() => {})
    throw error
  }
}

export declare namespace startSandbox {
  type Options = {
    /** EVM chain to redeem on. Default `base`. */
    blockchain?: EvmBlockchain | undefined
    /**
     * Several of them: EVM chains with USDC are each a bridge destination of the others; `tempo` is one for credits alone;
     * on `solana` and `stellar` people sign in, and pay USDC by `POST /sandbox/usdc-transfer`.
     */
    blockchains?: readonly SandboxBlockchain[] | undefined
    /**
     * Also starts a second chain for decent redeems, when only one EVM chain with USDC is named: arbitrum, or base beside
     * arbitrum. Default true.
     */
    bridge?: boolean | undefined
    /** `sandbox` and `prod` decide the chain ids and USDC addresses; all of it stays on this machine. Default `sandbox`. */
    environment?: Environment | undefined
    /** JSON-RPC endpoint that the chain is forked from; with several chains, one for each that is to be a fork. */
    forkUrl?: string | Partial<Record<EvmBlockchain, string>> | undefined
    /** Port of the service. Default: a free one. */
    port?: number | undefined
    /** Folder for database and chains, so that they survive. Default: memory. Forked chains are always made anew. */
    dataDir?: string | undefined
    /** Default `sandbox-shop`. */
    merchantId?: string | undefined
    /** Name of the merchant's credit balance. Default: the merchant id. */
    creditSeed?: string | undefined
    /** Default: a random one. */
    apiKey?: string | undefined
    /** Further keys of the merchant. */
    apiKeys?: createSandbox.MerchantOptions['apiKeys']
    /** Signs the merchant's JWTs; at least 32 characters. Default: a random one. */
    jwtSecret?: string | undefined
    /** No checkout without a checkout JWT. Default false. */
    enforceCheckoutJwt?: boolean | undefined
    /** How the merchant sells: limits, who pays for gas, chargeback protection. */
    settings?: createSandbox.MerchantOptions['settings']
    /** Told in words what is being done. */
    onProgress?: ((step: string) => void) | undefined
    /** Seconds between blocks. Default: a block for each transaction, at once. */
    blockTimeSeconds?: number | undefined
    walletFactories?: createSandbox.ChainOptions['walletFactories']
    nativePriceCents?: createSandbox.ChainOptions['nativePriceCents']
  } & Pick<
    createSandbox.Options,
    | 'service'
    | 'now'
    | 'headerPrefix'
    | 'gasFeePayer'
    | 'requireSignIn'
    | 'usdcAuthorizationType'
    | 'permitSeconds'
    | 'publicUrl'
    | 'allowedOrigins'
    | 'allowedHosts'
    | 'rateLimit'
    | 'affordances'
    | 'authVerifiers'
    | 'onError'
    | 'onLog'
    | 'probe'
  >
  type ErrorType = startAnvil.ErrorType | ChainSetupError | PackageNotInstalledError | createSandbox.ErrorType
}

const optionKinds: OptionKinds<startSandbox.Options> = {
  blockchain: 'string?',
  blockchains: 'list?',
  bridge: 'boolean?',
  environment: 'string?',
  forkUrl: 'any',
  port: 'any',
  dataDir: 'string?',
  merchantId: 'string?',
  creditSeed: 'string?',
  apiKey: 'string?',
  onProgress: 'function?',
  blockTimeSeconds: 'number?',
  walletFactories: 'list?',
  nativePriceCents: 'any',
  service: 'string?',
  now: 'any',
  headerPrefix: 'string?',
  gasFeePayer: 'string?',
  requireSignIn: 'boolean?',
  usdcAuthorizationType: 'string?',
  permitSeconds: 'any',
  publicUrl: 'any',
  allowedOrigins: 'any',
  allowedHosts: 'any',
  rateLimit: 'any',
  affordances: 'boolean?',
  jwtSecret: 'any',
  apiKeys: 'any',
  enforceCheckoutJwt: 'boolean?',
  settings: 'object?',
  authVerifiers: 'object?',
  onError: 'function?',
  onLog: 'function?',
  probe: 'function?',
}

/** Opens database and chains, side by side. When one of them fails, all that did start are in `closers`. */
async function openParts(
  options: startSandbox.Options,
  context: {
    now: Clock
    service: ServiceKind
    environment: Environment
    creditSeed: string
    onProgress: (step: string) => void
    closers: Closers
  },
) {
  const { dataDir, forkUrl } = options
  const { now, service, environment, creditSeed, onProgress, closers } = context
  const { names, others } = chainsToStart(options)
  // A package that is missing is told before anything is started.
  await checkPackages(others)
  onProgress('Opening the database')
  const opening = openStore({ dataDir }).then((store) => {
    closers.add(store.close)
    return store
  })
  // Both are awaited below; until then a failure must not end the process as one that is unhandled.
  opening.catch(() => {})
  // The folder's lock also covers the chains' files in it.
  if (dataDir !== undefined) await opening
  onProgress(`Starting ${[...names, ...others].join(', ')}`)
  // Beside the EVM chains, each in its own time.
  const starting = startOtherChains(others, { service, creditSeed, now, closers })
  starting.catch(() => {})
  try {
    const chains = await startEvmChains(names, { service, environment, dataDir, forkUrl, closers })
    onProgress('Deploying contracts')
    await openRoutes(chains)
    return { chains, ...(await starting), store: await opening }
  } catch (error) {
    // What is still starting has to be there before it can be closed.
    await Promise.allSettled([starting, opening])
    throw error
  }
}
