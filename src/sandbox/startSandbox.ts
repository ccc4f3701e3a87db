import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type ServerType, serve } from '@hono/node-server'
import { type Hex, zeroAddress } from 'viem'
import { centsToAmount } from '../core/amount/centsToAmount.ts'
import type { Environment, EvmBlockchain } from '../core/blockchains.ts'
import { networkOf } from '../evm/networks.ts'
import { usdcToken } from '../evm/usdcToken.ts'
import { type AnvilRpc, anvilRpc } from './chains/anvil/anvilRpc.ts'
import {
  type Deployment,
  deployCredits,
  findDeployment,
  giveCredits,
  roles,
  setDailyLimit,
  setRoute,
  setSource,
} from './chains/anvil/deployCredits.ts'
import { prepareUsdc, type UsdcMint } from './chains/anvil/prepareUsdc.ts'
import { startAnvil } from './chains/anvil/startAnvil.ts'
import type { SandboxSolana } from './chains/solana/startSandboxSolana.ts'
import type { SandboxStellar } from './chains/stellar/startSandboxStellar.ts'
import type { TempoChain } from './chains/tempo/startTempoChain.ts'
import type { TempoPeople } from './chains/tempo/tempoPeople.ts'
import {
  createSandbox,
  InvalidSandboxOptionsError,
  type Sandbox,
  type WhitelistEntry,
} from './createSandbox.ts'
import { type DevAccount, devAccount } from './devAccounts.ts'
import { openStore, type Store } from './store/openStore.ts'

/**
 * The whole payments service on this machine: chains, contracts, people with credits and USDC, database, HTTP.
 *
 * Fresh chains have the real network's chain id and USDC at its real address; with `forkUrl` they are copies of real
 * ones. Listens on 127.0.0.1 only. Everything ends with `stop()`, and with the process.
 *
 * @returns where the service listens, the merchant's API key, the people, the chains
 * @throws InvalidSandboxOptionsError, AnvilStartError, ChainSetupError, FolderInUseError
 * @example
 * ```ts
 * import { startSandbox } from 'redeemkit/sandbox'
 * const sandbox = await startSandbox()
 * // createPaymentsClient({ baseUrl: sandbox.url, merchantId: sandbox.merchantId, … })
 * await sandbox.stop()
 * ```
 */
export async function startSandbox(options: startSandbox.Options = {}): Promise<RunningSandbox> {
  const { environment = 'sandbox', dataDir, onProgress = () => {}, merchantId = 'sandbox-shop' } = options
  const { creditSeed = merchantId, apiKey = `sk_sandbox_${randomBytes(24).toString('hex')}` } = options
  const { names, others } = blockchainNames(options)
  const closers: (() => Promise<unknown>)[] = []
  let starting: ReturnType<typeof startOthers> | undefined
  const stop = async () => {
    // Last opened, first closed; all of them, also when one fails.
    const results = []
    for (const close of closers.splice(0).reverse()) results.push(await Promise.allSettled([close()]))
    const failed = results.flat().find((result) => result.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }
  try {
    onProgress('Opening the database')
    const opening = openStore({ dataDir })
    opening.catch(() => {})
    // The folder's lock also covers the chains' files in it.
    if (dataDir !== undefined) await opening
    onProgress(`Starting ${[...names, ...others].join(' and ')}`)
    // Beside the EVM chains, each in its own time.
    starting = startOthers(others, { creditSeed, now: options.now, closers })
    starting.catch(() => {})
    const chains = await allOrNone(
      names.map(async (blockchain) => {
        const chain = await startChain(blockchain, { ...options, environment, first: names[0] })
        closers.push(() => chain.stop())
        return chain
      }),
    )
    onProgress('Deploying contracts')
    await Promise.all(chains.map((chain) => setUpChain(chain, chains)))
    const { solana, stellar, tempo } = await starting
    const store: Store = await opening
    closers.push(() => store.close())
    const sandbox = createSandbox({
      ...options,
      environment,
      store: async () => ({ ...store, close: async () => {} }),
      merchants: [{ merchantId, creditSeed, apiKey }],
      solana: solana && { ...solana.service, fresh: true },
      stellar: stellar && { ...stellar.service, fresh: true },
      chains: [
        ...chains.map((chain) => ({
          blockchain: chain.blockchain,
          rpcUrl: chain.url,
          chainId: chain.chainId,
          creditsContract: chain.deployment.creditsContract,
          operatorKey: roles.operator.privateKey,
          whitelisterKey: roles.whitelister.privateKey,
          walletFactories: options.walletFactories,
          nativePriceCents: options.nativePriceCents,
          maxPriorityFeePerGas: localPriorityFee,
          fresh: chain.fresh,
          destinations: chains
            .filter((other) => other !== chain)
            .map((other) => ({
              chainId: other.chainId,
              rpcUrl: other.url,
              bridgeAdapter: other.deployment.bridgeAdapter,
              operatorKey: roles.operator.privateKey,
            })),
        })),
        ...(tempo === undefined ? [] : [{ ...tempo.service, fresh: true }]),
      ],
    })
    closers.push(() => sandbox.stop())
    onProgress('Funding people')
    const people = Object.fromEntries(peopleNames.map((name) => [name, person(name)])) as People // the same names
    const fresh = chains.filter((chain) => chain.fresh)
    await Promise.all(fresh.map((chain) => fund(chain, { people: Object.values(people), creditSeed })))
    if (options.blockTimeSeconds !== undefined)
      for (const chain of chains) await chain.rpc.setBlockTime(options.blockTimeSeconds)
    await sandbox.start()
    const server = await listen(sandbox.app.fetch, options.port ?? 0)
    closers.push(() => closeServer(server))
    const url = `http://127.0.0.1:${portOf(server)}`
    onProgress(`Listening on ${url}`)
    const find = (blockchain: EvmBlockchain | undefined): StartedChain => {
      const chain = blockchain === undefined ? chains[0] : chains.find((one) => one.blockchain === blockchain)
      if (chain !== undefined) return chain
      throw new InvalidSandboxOptionsError('There is no such chain in this sandbox.', {
        field: 'blockchain',
        fix: `Use one of ${names.join(', ')}.`,
      })
    }
    return {
      url,
      merchantId,
      creditSeed,
      apiKey,
      environment,
      people,
      chains: Object.fromEntries(
        chains.map((chain) => [
          chain.blockchain,
          {
            blockchain: chain.blockchain,
            environment,
            chainId: chain.chainId,
            rpcUrl: chain.url,
            usdc: usdcToken({ chainId: chain.chainId }).address,
            ...chain.deployment,
            operator: roles.operator.account.address,
            feeRecipient: roles.feeRecipient.account.address,
            pinned: {
              creditsContract: chain.deployment.creditsContract,
              domainName: 'Credits',
              creditSeed,
            },
          },
        ]),
      ),
      ...(solana && { solana: solana.solana }),
      ...(stellar && { stellar: stellar.stellar }),
      ...(tempo && { tempo: toSandboxTempo(tempo) }),
      whitelist: sandbox.whitelist,
      allowFactory: sandbox.allowFactory,
      mintCredits: async ({ wallet, cents, blockchain }) =>
        giveCredits(find(blockchain).rpc, {
          creditsContract: find(blockchain).deployment.creditsContract,
          creditSeed,
          wallet,
          amount: centsToAmount(cents),
        }),
      mintUsdc: async ({ wallet, cents, blockchain }) =>
        find(blockchain).mintUsdc(wallet, centsToAmount(cents)),
      app: sandbox.app,
      stop,
    }
  } catch (error) {
    // What is still starting has to be there before it can be closed.
    await starting?.catch(() => {})
    await stop().catch(() => {})
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
    /** Told in words what is being done. */
    onProgress?: ((step: string) => void) | undefined
    /** Seconds between blocks. Default: a block for each transaction, at once. */
    blockTimeSeconds?: number | undefined
    walletFactories?: createSandbox.ChainOptions['walletFactories']
    nativePriceCents?: createSandbox.ChainOptions['nativePriceCents']
  } & Pick<
    createSandbox.Options,
    | 'now'
    | 'headerPrefix'
    | 'gasFeePayer'
    | 'requireSignIn'
    | 'usdcAuthorizationType'
    | 'permitSeconds'
    | 'publicUrl'
    | 'authVerifiers'
    | 'onError'
    | 'probe'
  >
}

/** A sandbox that listens. */
export type RunningSandbox = {
  /** The client's `baseUrl`. */
  url: string
  merchantId: string
  creditSeed: string
  apiKey: string
  environment: Environment
  /** People with 1000 dollars of credits and 1000 USDC on every chain, and no coin for gas. */
  people: People
  chains: Partial<Record<EvmBlockchain, SandboxChain>>
  /** When `blockchains` names it. */
  solana?: SandboxSolana<keyof People>
  /** When `blockchains` names it. */
  stellar?: SandboxStellar<keyof People>
  /** When `blockchains` names it. */
  tempo?: SandboxTempo
  /** Puts a contract on the merchant's whitelist. */
  whitelist: (entry: WhitelistEntry) => Promise<void>
  /** From now on customers' wallets may be deployed through this factory (ERC-6492). */
  allowFactory: Sandbox['allowFactory']
  /** Gives a wallet credits, paid for by the sandbox. */
  mintCredits: (options: Gift) => Promise<void>
  /** Gives a wallet USDC. */
  mintUsdc: (options: Gift) => Promise<void>
  /** The same service without the socket. */
  app: ReturnType<typeof createSandbox>['app']
  stop: () => Promise<void>
}

export type Gift = { wallet: Hex; cents: number; blockchain?: EvmBlockchain | undefined }

export type Person = DevAccount & { address: Hex }
export type People = Record<(typeof peopleNames)[number], Person>

/** One local chain. */
export type SandboxChain = {
  blockchain: EvmBlockchain
  environment: Environment
  chainId: number
  rpcUrl: string
  usdc: Hex
  creditsContract: Hex
  bridgeAdapter: Hex
  /** Account that sends the redeems. */
  operator: Hex
  feeRecipient: Hex
  /** What a client of this chain has to be given (decisions, section 3). */
  pinned: { creditsContract: Hex; domainName: string; creditSeed: string }
}

/** Every chain that a sandbox can start. */
export type SandboxBlockchain = EvmBlockchain | 'solana' | 'stellar'

/** The local Tempo chain: credits, no USDC. */
export type SandboxTempo = {
  blockchain: 'tempo'
  environment: Environment
  chainId: number
  rpcUrl: string
  creditsContract: Hex
  /** pathUSD: backs the credits and pays fees. 6 decimals. */
  token: Hex
  /** Account that sends the redeems. */
  operator: Hex
  /** What a client of this chain has to be given (decisions, section 3). */
  pinned: { creditsContract: Hex; domainName: string; creditSeed: string }
  /** One for each kind of signature, with 1000 dollars of credits each. */
  people: TempoPeople
}

const peopleNames = ['alice', 'bob', 'carol'] as const
/**
 * Anvil takes a transaction with any tip. Its proposal to others is a gwei, and following those who take it would make a
 * redeem dearer than on any real rollup.
 */
const localPriorityFee = 1_000_000n
const gift = 1_000_000_000n
const treasure = 10n ** 18n

type StartedChain = {
  blockchain: EvmBlockchain
  chainId: number
  url: string
  rpc: AnvilRpc
  mintUsdc: UsdcMint
  deployment: Deployment
  /** Made now, not found from a former run. */
  fresh: boolean
  stop: () => Promise<void>
}

function blockchainNames(options: startSandbox.Options): {
  names: readonly EvmBlockchain[]
  others: readonly OtherBlockchain[]
} {
  const { blockchain, blockchains, bridge = true, environment = 'sandbox', forkUrl } = options
  if (blockchain !== undefined && blockchains !== undefined)
    throw new InvalidSandboxOptionsError('Both "blockchain" and "blockchains" are given.', {
      field: 'blockchains',
      fix: 'Give one of them.',
    })
  const wanted = [...new Set<SandboxBlockchain>(blockchains ?? [blockchain ?? 'base'])]
  const others = otherBlockchains.filter((name) => blockchains?.includes(name))
  const names: EvmBlockchain[] = []
  for (const name of wanted) {
    if (others.some((other) => other === name)) continue
    // `networkOf` refuses what is no EVM chain.
    const evmName = name as EvmBlockchain
    if (!networkOf({ blockchain: evmName, environment }).usdc)
      throw new InvalidSandboxOptionsError(`There is no USDC with authorizations on ${evmName}.`, {
        field: 'blockchain',
        fix: 'Use eth, polygon, base, arbitrum or monad; tempo, solana and stellar stand in "blockchains".',
      })
    names.push(evmName)
  }
  if (wanted.length === 0)
    throw new InvalidSandboxOptionsError('No blockchain is named.', { field: 'blockchains' })
  if (others.length > 0 && environment !== 'sandbox')
    throw new InvalidSandboxOptionsError(
      `The local ${others[0]} chain presents itself as the test network.`,
      {
        field: 'environment',
        fix: 'Use environment "sandbox", or leave solana, stellar and tempo out.',
      },
    )
  if (typeof forkUrl === 'string' && names.length > 1)
    throw new InvalidSandboxOptionsError('One forkUrl cannot be the origin of several chains.', {
      field: 'forkUrl',
      fix: "Name the chains: forkUrl: { base: 'https://…' }.",
    })
  if (names.length === 1 && bridge) names.push(names[0] === 'arbitrum' ? 'base' : 'arbitrum')
  return { names, others }
}

const otherBlockchains = ['solana', 'stellar', 'tempo'] as const
type OtherBlockchain = (typeof otherBlockchains)[number]

/** The chains that are not like the rest, each loaded only when it is asked for. */
async function startOthers(
  others: readonly OtherBlockchain[],
  options: { creditSeed: string; now: startSandbox.Options['now']; closers: (() => Promise<unknown>)[] },
) {
  const { creditSeed, now, closers } = options
  const started = async <chain extends { stop: () => Promise<unknown> }>(
    name: OtherBlockchain,
    start: () => Promise<chain>,
  ): Promise<chain | undefined> => {
    if (!others.includes(name)) return undefined
    const chain = await start()
    closers.push(() => chain.stop())
    return chain
  }
  const solana = started('solana', async () =>
    (await import('./chains/solana/startSandboxSolana.ts')).startSandboxSolana({ names: peopleNames }),
  )
  const stellar = started('stellar', async () =>
    (await import('./chains/stellar/startSandboxStellar.ts')).startSandboxStellar({
      names: peopleNames,
      now,
    }),
  )
  const tempo = started('tempo', async () =>
    (await import('./chains/tempo/startTempoChain.ts')).startTempoChain({ creditSeed, credits: gift }),
  )
  await allOrNone<unknown>([solana, stellar, tempo])
  return { solana: await solana, stellar: await stellar, tempo: await tempo }
}

function toSandboxTempo(tempo: TempoChain): SandboxTempo {
  const { creditsContract, creditSeed, token, people, chainId } = tempo
  return {
    blockchain: 'tempo',
    environment: 'sandbox',
    chainId,
    rpcUrl: tempo.url,
    creditsContract,
    token,
    operator: tempo.operator.address,
    pinned: { creditsContract, domainName: tempo.domain.name, creditSeed },
    people,
  }
}

async function startChain(
  blockchain: EvmBlockchain,
  options: startSandbox.Options & { environment: Environment; first: EvmBlockchain | undefined },
): Promise<StartedChain> {
  const { environment, dataDir, first } = options
  const { chainId } = networkOf({ blockchain, environment })
  const forkUrl =
    typeof options.forkUrl === 'string'
      ? blockchain === first
        ? options.forkUrl
        : undefined
      : options.forkUrl?.[blockchain]
  const folder = dataDir === undefined ? undefined : join(dataDir, 'chains')
  if (folder !== undefined) await mkdir(folder, { recursive: true })
  const statePath = folder === undefined ? undefined : join(folder, `${chainId}.json`)
  if (forkUrl !== undefined) await checkOrigin(forkUrl, chainId)
  const anvil = await startAnvil({ chainId, forkUrl, statePath })
  try {
    const rpc = anvilRpc(anvil.url)
    const mintUsdc = await prepareUsdc(rpc, { chainId })
    const found = forkUrl === undefined ? await findDeployment(rpc) : undefined
    const deployment = found ?? (await deployCredits(rpc, { usdc: usdcToken({ chainId }).address }))
    const fresh = found === undefined
    return { blockchain, chainId, url: anvil.url, rpc, mintUsdc, deployment, fresh, stop: anvil.stop }
  } catch (error) {
    await anvil.stop()
    throw error
  }
}

async function checkOrigin(forkUrl: string, chainId: number): Promise<void> {
  const found = await anvilRpc(forkUrl).client.getChainId()
  if (found !== chainId)
    throw new InvalidSandboxOptionsError(`The fork origin is chain ${found}, not ${chainId}.`, {
      field: 'forkUrl',
      fix: 'Give an endpoint of the chain that "blockchain" and "environment" name.',
    })
}

/** Routes from this chain to all others, and liquidity for what comes from them. */
async function setUpChain(chain: StartedChain, chains: readonly StartedChain[]): Promise<void> {
  if (!chain.fresh) return
  const { rpc, deployment } = chain
  const { bridgeAdapter } = deployment
  await chain.mintUsdc(roles.operator.account.address, treasure)
  await chain.mintUsdc(roles.bank.account.address, treasure)
  await chain.mintUsdc(bridgeAdapter, treasure)
  await rpc.setBalance(bridgeAdapter, 10n ** 24n)
  await setDailyLimit(rpc, {
    bridgeAdapter,
    token: usdcToken({ chainId: chain.chainId }).address,
    amount: treasure,
  })
  await setDailyLimit(rpc, { bridgeAdapter, token: zeroAddress, amount: 10n ** 24n })
  for (const other of chains) {
    if (other === chain) continue
    const { chainId } = other
    await setSource(rpc, { bridgeAdapter, chainId, source: other.deployment.bridgeAdapter })
    // One USDC there for one USDC here, and 1/3000 of a coin, the made-up price that gas fees use too.
    const token = usdcToken({ chainId }).address
    await setRoute(rpc, { bridgeAdapter, chainId, token, costPerUsdc: 1_000_000n })
    await setRoute(rpc, { bridgeAdapter, chainId, token: zeroAddress, costPerUsdc: 10n ** 18n / 3_000n })
  }
}

async function fund(
  chain: StartedChain,
  options: { people: readonly Person[]; creditSeed: string },
): Promise<void> {
  for (const { address } of options.people) {
    const { creditsContract } = chain.deployment
    await chain.rpc.setCode(address, '0x')
    await chain.mintUsdc(address, gift)
    await giveCredits(chain.rpc, {
      creditsContract,
      creditSeed: options.creditSeed,
      wallet: address,
      amount: gift,
    })
  }
}

function person(name: string): Person {
  const account = devAccount(name)
  return { ...account, address: account.account.address }
}

/** All of them, or, when one fails, none: those that did start are in `closers` by then. */
async function allOrNone<value>(promises: readonly Promise<value>[]): Promise<value[]> {
  const results = await Promise.allSettled(promises)
  const failed = results.find((result) => result.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
}

function listen(fetch: Parameters<typeof serve>[0]['fetch'], port: number): Promise<ServerType> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch, port, hostname: '127.0.0.1' }, () => {
      server.off('error', reject)
      resolve(server)
    })
    server.once('error', reject)
  })
}

function portOf(server: ServerType): number {
  // A server that listens on TCP has an address with a port.
  return (server.address() as AddressInfo).port
}

function closeServer(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    if ('closeAllConnections' in server) server.closeAllConnections()
  })
}
