import type { Environment, EvmBlockchain } from '../redeemkit/core/blockchains.ts'
import { checkOptions, type OptionKinds } from '../redeemkit/core/checkOptions.ts'
import type { InvalidHexError } from '../redeemkit/evm/values/checkHex.ts'
import type { nodeRequest } from './chains/anvil/nodeTransport.ts'
import type { openAnvil } from './chains/anvil/openAnvil.ts'
import type { ChainSetupError } from './chains/errors.ts'
import { checkSandboxOptions } from './checkSandboxOptions.ts'
import type { createSandbox } from './createSandbox.ts'
import { movableClock } from './process/movableClock.ts'
import type { RunningSandbox, SandboxBlockchain } from './runningSandbox.ts'
import type { ServiceKind } from './serviceKind.ts'
import { controls } from './start/controls.ts'
import { createClosers } from './start/createClosers.ts'
import { createFront } from './start/createFront.ts'
import { dashboardOf } from './start/dashboardOf.ts'
import { sandboxChains, sandboxTempo, serviceChains } from './start/describeChains.ts'
import { fundPeople, sandboxPeople } from './start/fundPeople.ts'
import { readKeptSettings } from './start/keptSettings.ts'
import { type FurtherMerchant, merchantsToStart } from './start/merchantsToStart.ts'
import { openParts } from './start/openParts.ts'
import { openSandbox } from './start/openSandbox.ts'
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
export async function startSandbox<service extends ServiceKind = 'bound'>(
  options?: startSandbox.Options & { service?: service | undefined },
): Promise<RunningSandbox<service>>
export async function startSandbox(options: startSandbox.Options = {}): Promise<RunningSandbox<ServiceKind>> {
  checkOptions(options, optionKinds)
  const { environment = 'sandbox', onProgress = () => {}, merchantId = 'sandbox-shop' } = options
  const { service = 'bound' } = options
  const { creditSeed = merchantId } = options
  const { apiKeys, enforceCheckoutJwt, settings, webhookUrl, webhookSecret, plans } = options
  const how = { apiKeys, enforceCheckoutJwt, settings, webhookUrl, webhookSecret, plans }
  const { merchants, kept } = merchantsToStart(
    { merchantId, creditSeed, apiKey: options.apiKey, jwtSecret: options.jwtSecret, ...how },
    { further: options.merchants ?? [], kept: await readKeptSettings(options.dataDir) },
  )
  const [{ apiKey, jwtSecret }] = merchants
  // One for the service and its chains: moved, it is later on all of them.
  const now = movableClock(options.now)
  // Before anything is started; `createSandbox` looks at the chains, too.
  checkSandboxOptions({ ...options, chains: [], merchants })
  const closers = createClosers()
  const front = createFront({
    headerPrefix: options.headerPrefix,
    methods: options.rpcMethods,
    origins: options.allowedOrigins,
    hosts: [
      ...(options.allowedHosts ?? []),
      ...(options.publicUrl === undefined ? [] : [new URL(options.publicUrl).host]),
    ],
  })
  try {
    const { url, chains, solana, stellar, tempo, store } = await openParts(options, {
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
        store: async () => ({ ...store, close: async () => {} }),
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
    onProgress('Funding people')
    const people = sandboxPeople()
    await fundPeople(people, { chains, creditSeeds: merchants.map((one) => one.creditSeed) })
    if (options.blockTimeSeconds !== undefined)
      for (const chain of chains) await chain.rpc.setBlockTime(options.blockTimeSeconds)
    // From here on the chains are whole, and worth keeping.
    await Promise.all(chains.map(({ node }) => node.keep()))
    await sandbox.start()
    const dashboard = dashboardOf(options, { merchants, people, sandbox })
    front.setService(sandbox.app.fetch, { beside: sandbox.beside, dashboard })
    onProgress(`Listening on ${url}`)
    return {
      url,
      service,
      headerPrefix: options.headerPrefix ?? 'x-svc-',
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
      people,
      chains: sandboxChains(chains, { environment, creditSeed, service }),
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
    /** Determines chain ids and USDC addresses. Everything stays on this machine. Default `sandbox`. */
    environment?: Environment | undefined
    /**
     * JSON-RPC endpoint that the chain is forked from; with several chains, one for each that is to be a fork. Left out: a
     * fresh chain. Given as `undefined` or empty, as by an environment variable that is not set, it is refused.
     */
    forkUrl?: string | Partial<Record<EvmBlockchain, string>>
    /** Block that is forked from; with several forks, one for each. Default: the newest. Older ones need an archive node. */
    forkBlockNumber?: number | Partial<Record<EvmBlockchain, number>> | undefined
    /** Port of the service, and of the EVM chains under `/rpc/NAME`. Default: the one that `dataDir` keeps, or a free one. */
    port?: number | undefined
    /**
     * Folder for database and chains, so that they survive; ports, the merchant's key and all addresses stay the same.
     * Default: memory. Forked chains are always made anew.
     */
    dataDir?: string | undefined
    /** Methods that the EVM chains answer under `/rpc/NAME` beside the usual ones, such as `['anvil_dumpState']`. */
    rpcMethods?: readonly string[] | undefined
    /** Default `sandbox-shop`. */
    merchantId?: string | undefined
    /** Name of the merchant's credit balance. Default: the merchant id. */
    creditSeed?: string | undefined
    /** Default: the one that `dataDir` keeps, or a random one. */
    apiKey?: string | undefined
    /** Further keys of the merchant. */
    apiKeys?: createSandbox.MerchantOptions['apiKeys']
    /** Signs the merchant's JWTs; at least 32 characters. Default: a random one. */
    jwtSecret?: string | undefined
    /** No checkout without a checkout JWT. Default false. */
    enforceCheckoutJwt?: boolean | undefined
    /** How the merchant sells: limits, who pays for gas, chargeback protection. */
    settings?: createSandbox.MerchantOptions['settings']
    /** Where the merchant's webhooks are sent. Default: nowhere, or where `dataDir` says. */
    webhookUrl?: string | undefined
    /** Signs the merchant's webhooks. Default: a random one, or that of `dataDir`. */
    webhookSecret?: string | undefined
    /** Subscription plans that the merchant offers. */
    plans?: createSandbox.MerchantOptions['plans']
    /** Further merchants, beside the one that the options above describe. */
    merchants?: readonly FurtherMerchant[] | undefined
    /** Told in words what is being done. */
    onProgress?: ((step: string) => void) | undefined
    /** Told in words when a chain's file was cut off, or cannot be written. Default: as `onProgress`. */
    onWarning?: ((text: string) => void) | undefined
    /** Seconds between blocks. Default: a block for each transaction, at once. */
    blockTimeSeconds?: number | undefined
    walletFactories?: createSandbox.ChainOptions['walletFactories']
    nativePriceCents?: createSandbox.ChainOptions['nativePriceCents']
    /** Default 0: a local chain may mine no block without a transaction. */
    confirmations?: createSandbox.ChainOptions['confirmations']
  } & Pick<
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
    | 'affordances'
    | 'authVerifiers'
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
  blockchain: 'string?',
  blockchains: 'list?',
  bridge: 'boolean?',
  environment: 'string?',
  forkUrl: 'any',
  forkBlockNumber: 'any',
  port: 'any',
  dataDir: 'string?',
  databaseUrl: 'string?',
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
  webhookUrl: 'any',
  webhookSecret: 'any',
  plans: 'list?',
  merchants: 'list?',
  authVerifiers: 'object?',
  onError: 'function?',
  onLog: 'function?',
  probe: 'function?',
}
