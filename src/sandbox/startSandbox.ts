import type { Environment, EvmBlockchain } from '../redeemkit/core/blockchains.ts'
import { checkOptions, type OptionKinds } from '../redeemkit/core/checkOptions.ts'
import { defaultHeaderPrefix } from '../redeemkit/core/headerNames.ts'
import type { InvalidHexError } from '../redeemkit/evm/values.ts'
import type { nodeRequest } from './chains/anvil/connectPipe.ts'
import type { openAnvil } from './chains/anvil/openAnvil.ts'
import type { ChainSetupError } from './chains/errors.ts'
import { checkSandboxOptions } from './checkSandboxOptions.ts'
import type { createSandbox } from './createSandbox.ts'
import { defaultMerchantId } from './merchantOptions.ts'
import { createDashboard } from './pages/dashboard/createDashboard.tsx'
import type { RunningSandbox, SandboxBlockchain } from './runningSandbox.ts'
import { ownRequest } from './service/http/checkCaller.ts'
import type { ServiceKind } from './serviceKind.ts'
import { controls } from './start/controls.ts'
import { createClosers } from './start/createClosers.ts'
import { createFront } from './start/createFront.ts'
import { sandboxChains, sandboxTempo, serviceChains } from './start/describeChains.ts'
import { fundAccounts, sandboxAccounts } from './start/fundAccounts.ts'
import { type FurtherMerchant, merchantsToStart, readKeptSettings } from './start/keptSettings.ts'
import { openParts } from './start/openParts.ts'
import { openSandbox } from './start/openSandbox.ts'
import { serviceOptionKinds } from './start/sandbox.ts'
import { movableClock } from './store/movableClock.ts'
import type { PackageNotInstalledError } from './withPackage.ts'

/**
 * Starts the whole payments service on this machine: chains, contracts, test accounts with credits and USDC, database, and HTTP
 * server.
 *
 * Fresh chains have the real chain id, and USDC at its real address. With `forkUrl`, the chains are forks. The service listens on
 * 127.0.0.1 only. `stop()` stops everything, and so does the end of the process.
 *
 * `service: 'randomNonce'` emulates most deployed services: random nonces, and their errors and empty bodies. Its `pinned` values
 * contain `intentBound: false`. Set `headerPrefix`, `merchantId`, `creditSeed` and `apiKey` to the values that an existing program
 * uses.
 *
 * @returns the URL of the service, the merchant's API key, the test accounts, and the chains
 * @throws InvalidSandboxOptionsError, ForkOriginError, AnvilNotInstalledError, AnvilStartError, ChainSetupError, FolderInUseError,
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
export async function startSandbox<service extends ServiceKind = 'intentBound'>(
  options?: startSandbox.Options & { service?: service | undefined },
): Promise<RunningSandbox<service>>
export async function startSandbox(options: startSandbox.Options = {}): Promise<RunningSandbox<ServiceKind>> {
  checkOptions(options, optionKinds)
  const { environment = 'sandbox', onProgress = () => {}, service = 'intentBound' } = options
  const { merchantId = defaultMerchantId, apiKeys, enforceCheckoutJwt } = options
  const { settings, webhookUrl, webhookSecret, plans } = options
  const how = { apiKeys, enforceCheckoutJwt, settings, webhookUrl, webhookSecret, plans }
  const { merchants, kept } = merchantsToStart(
    {
      merchantId,
      creditSeed: options.creditSeed,
      apiKey: options.apiKey,
      jwtSecret: options.jwtSecret,
      ...how,
    },
    { further: options.merchants ?? [], kept: await readKeptSettings(options.dataDir) },
  )
  const [{ creditSeed, apiKey, jwtSecret }] = merchants
  // The service and its chains share a clock.
  const now = movableClock(options.now)
  // Checked before anything starts. `createSandbox` also checks the chains.
  checkSandboxOptions({ ...options, chains: [], merchants })
  const closers = createClosers()
  const front = createFront({
    headerPrefix: options.headerPrefix,
    merchantId,
    methods: options.rpcMethods,
    origins: options.allowedOrigins,
    hosts: [
      ...(options.allowedHosts ?? []),
      ...(options.publicUrl === undefined ? [] : [new URL(options.publicUrl).host]),
    ],
  })
  try {
    const { url, close, chains, solana, stellar, tempo, store } = await openParts(options, {
      now,
      service,
      environment,
      creditSeed,
      kept,
      front,
      onProgress,
      closers,
    })
    const sandbox = openSandbox(
      {
        ...options,
        environment,
        now,
        store: async () => ({ ...(await store), close: async () => {} }),
        merchants,
        solana: solana && { ...solana.service, fresh: true },
        stellar: stellar && { ...stellar.service, fresh: true },
        chains: [
          ...serviceChains(chains, options),
          ...(tempo === undefined ? [] : [{ ...tempo.service, fresh: true }]),
        ],
      },
      { isLocal: true },
    )
    closers.add(sandbox.stop)
    onProgress('Funding test accounts')
    const accounts = sandboxAccounts()
    await fundAccounts(accounts, { chains, creditSeeds: merchants.map((one) => one.creditSeed) })
    if (options.blockTimeSeconds !== undefined)
      for (const chain of chains) await chain.rpc.setBlockTime(options.blockTimeSeconds)
    // The chains are complete now and can be persisted.
    await Promise.all(chains.map(({ node }) => node.keep()))
    await sandbox.start()
    const dashboard = options.sandboxControls !== false && {
      dashboard: createDashboard({
        service: (request) => sandbox.app.fetch(request, ownRequest),
        merchants,
        accounts: Object.fromEntries(Object.values(accounts).map(({ name, address }) => [name, address])),
        headerPrefix: options.headerPrefix,
      }),
    }
    front.setService(sandbox.app.fetch, { beside: sandbox.beside, ...dashboard })
    // Closed first, because pending requests still need the service and its chains.
    closers.add(close)
    onProgress(`Listening on ${url}`)
    return {
      url,
      service,
      headerPrefix: options.headerPrefix ?? defaultHeaderPrefix,
      merchantId,
      creditSeed,
      apiKey,
      jwtSecret,
      merchants: merchants.map((one) => ({
        merchantId: one.merchantId,
        creditSeed: one.creditSeed,
        apiKey: one.apiKey,
        jwtSecret: one.jwtSecret,
      })),
      environment,
      accounts,
      chains: sandboxChains(chains, {
        environment,
        creditSeed,
        service,
        walletFactories: options.walletFactories,
      }),
      ...(solana && { solana: solana.solana }),
      ...(stellar && { stellar: stellar.stellar }),
      ...(tempo && { tempo: sandboxTempo(tempo, { service, rpcUrl: tempo.url }) }),
      whitelist: sandbox.whitelist,
      allowFactory: sandbox.allowFactory,
      ...controls({
        sandbox,
        clock: now,
        creditSeed,
        chains,
        tempo,
        others: [solana && 'solana', stellar && 'stellar'],
      }),
      app: sandbox.app,
      stop: closers.closeAll,
    }
  } catch (error) {
    // Report the original error, not a cleanup failure.
    await closers.closeAll().catch(() => {})
    throw error
  }
}

export declare namespace startSandbox {
  type Options = {
    /** EVM chain to redeem on. Default `base`. */
    blockchain?: EvmBlockchain | undefined
    /**
     * Chains to start. EVM chains with USDC are bridge destinations of each other; `tempo` supports credits only; `solana` and
     * `stellar` support sign-in, and USDC payments with `POST /sandbox/usdc-transfer`.
     */
    blockchains?: readonly SandboxBlockchain[] | undefined
    /**
     * Whether to start a second chain for decent redeems if only one EVM chain with USDC is given: arbitrum, or base if that one is
     * arbitrum. Default true.
     */
    bridge?: boolean | undefined
    /** Determines chain ids and USDC addresses. All chains are local in either case. Default `sandbox`. */
    environment?: Environment | undefined
    /**
     * JSON-RPC endpoint to fork from; for several forks, one per chain. Omit it for a fresh chain. An explicit `undefined` or an empty
     * string, as from an unset environment variable, is rejected.
     */
    forkUrl?: string | Partial<Record<EvmBlockchain, string>>
    /** Block to fork; for several forks, one per chain. Default: the latest block. Older blocks need an archive node. */
    forkBlockNumber?: number | Partial<Record<EvmBlockchain, number>> | undefined
    /** Port of the service and of the EVM chains under `/rpc/NAME`. Default: the port stored in `dataDir`, or a free one. */
    port?: number | undefined
    /**
     * Folder for the database and chains. It also stores ports, API key and addresses. Default: all data is in memory. Forks are
     * never stored: each start creates them again.
     */
    dataDir?: string | undefined
    /** Further JSON-RPC methods under `/rpc/NAME`, such as `['anvil_dumpState']`. */
    rpcMethods?: readonly string[] | undefined
    /** Merchant id. Default `sandbox-shop`. */
    merchantId?: string | undefined
    /** Further merchants, in addition to the merchant that the options describe. */
    merchants?: readonly FurtherMerchant[] | undefined
    /** Called with a description of each step of the start. */
    onProgress?: ((step: string) => void) | undefined
    /** Called with a warning if the file of a chain is truncated or not writable. Default: `onProgress`. */
    onWarning?: ((text: string) => void) | undefined
    /** Seconds between blocks. Default: each transaction is mined immediately, in its own block. */
    blockTimeSeconds?: number | undefined
    walletFactories?: createSandbox.ChainOptions['walletFactories']
    nativePriceCents?: createSandbox.ChainOptions['nativePriceCents']
    /** Number of confirmations. Default: 0, because a local chain may mine a block only for a transaction. */
    confirmations?: createSandbox.ChainOptions['confirmations']
  } & Omit<FurtherMerchant, 'merchantId'> &
    Pick<
      createSandbox.Options,
      | 'service'
      | 'databaseUrl'
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
      | 'sandboxControls'
      | 'onError'
      | 'onLog'
      | 'probe'
    >
  type ErrorType =
    | openAnvil.ErrorType
    | nodeRequest.ErrorType
    | ChainSetupError
    | PackageNotInstalledError
    | createSandbox.ErrorType
    | InvalidHexError
}

const optionKinds: OptionKinds<startSandbox.Options> = {
  ...serviceOptionKinds,
  blockchain: 'string?',
  blockchains: 'list?',
  bridge: 'boolean?',
  forkUrl: 'any',
  forkBlockNumber: 'any',
  port: 'any',
  rpcMethods: 'list?',
  merchantId: 'string?',
  creditSeed: 'string?',
  apiKey: 'string?',
  onProgress: 'function?',
  onWarning: 'function?',
  blockTimeSeconds: 'number?',
  walletFactories: 'list?',
  nativePriceCents: 'any',
  confirmations: 'any',
  jwtSecret: 'any',
  apiKeys: 'any',
  enforceCheckoutJwt: 'boolean?',
  settings: 'object?',
  webhookUrl: 'any',
  webhookSecret: 'any',
  plans: 'list?',
  merchants: 'list?',
}
