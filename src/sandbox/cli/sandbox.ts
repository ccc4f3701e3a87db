import { resolve } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { Hex } from 'viem'
import { type EvmBlockchain, evmBlockchains } from '../../redeemkit/core/blockchains.ts'
import { defaultHeaderPrefix } from '../../redeemkit/core/headerNames.ts'
import { defaultMerchantId } from '../merchantOptions.ts'
import type { RunningSandbox } from '../runningSandbox.ts'
import type { ServiceKind } from '../serviceKind.ts'
import { readKeptSettings } from '../start/keptSettings.ts'
import { announceSandbox } from './connection/findSandbox.ts'
import { defaultPort, readNumber, readPort } from './options.ts'
import { exitCodeHelp, printWarning, readError } from './printError.ts'
import { printRequests, sandboxScreen } from './sandboxScreen.ts'
import { checkEnvFile, envText, prepareDeployer, sandboxSettings, writeEnvFile } from './sandboxSettings.ts'
import { untilStopped } from './untilStopped.ts'
import { withProgress } from './withProgress.ts'

const chainsWithUsdc = evmBlockchains.filter((name) => name !== 'tempo')

export const sandbox = new Command('sandbox')
  .description('Runs the payments service and its chains until you press Ctrl+C.')
  .optionsGroup('Chains:')
  .addOption(new Option('--chain <name>', 'chain to redeem on (default: base)').choices(chainsWithUsdc))
  .addOption(new Option('--blockchain <name>').choices(chainsWithUsdc).conflicts('chain').hideHelp())
  .addOption(
    new Option('--fork-url <url>', 'JSON-RPC endpoint to fork the chain from (default: a fresh chain)').env(
      'REDEEMKIT_FORK_URL',
    ),
  )
  .option('--fork-block <number>', 'block to fork it at (default: the latest)', readNumber)
  .addOption(
    new Option(
      '--with <names...>',
      'also start these chains; stellar needs: npm install @stellar/stellar-sdk',
    ).choices(['solana', 'stellar', 'tempo']),
  )
  .option(
    '--prod',
    'use the chain ids and USDC addresses of the production networks; everything stays on this machine',
  )
  .optionsGroup('Service:')
  .option(
    '--port <port>',
    `port of the service on 127.0.0.1 (default: the one stored in --data, or ${defaultPort})`,
    readPort,
  )
  .option(
    '--data <folder>',
    'store the database and chains in this folder, and reuse its ports, keys and addresses; without it, nothing is stored',
  )
  .addOption(new Option('--data-dir <folder>').conflicts('data').hideHelp())
  .addOption(
    new Option('--database-url <url>', 'PostgreSQL server to use instead of the database in the folder').env(
      'DATABASE_URL',
    ),
  )
  .addOption(
    new Option(
      '--service <kind>',
      'randomNonce emulates other deployed services, including their random nonces, errors and empty bodies',
    )
      .choices(['intentBound', 'randomNonce'])
      .default('intentBound'),
  )
  .option('--header-prefix <prefix>', "prefix of the service's header names", defaultHeaderPrefix)
  .option(
    '--allow-origin <origins...>',
    'origins that may call the service in addition to this machine, such as https://shop.example',
  )
  .option(
    '--wallet-factory <addresses...>',
    'further factories that may deploy wallets (ERC-6492); clients pin them in walletFactories',
  )
  .optionsGroup('Merchant:')
  .option('--merchant-id <id>', 'merchant id', readName, defaultMerchantId)
  .option(
    '--credit-seed <seed>',
    "name of the merchant's credit balance (default: the merchant id)",
    readName,
  )
  .option(
    '--api-key <key>',
    "the merchant's API key (default: the one stored in --data, or a random one)",
    readKey,
  )
  .option('--merchants <ids...>', 'further merchants, each with its own API key')
  .option('--no-chargeback-protection', 'checkouts need neither a cart nor x-device-id')
  .option('--no-3ds', 'cards need no 3-D Secure check')
  .optionsGroup('Output:')
  .option('--env <file>', 'write the settings for programs to a .env file')
  .option('--json', 'print the settings as one JSON object')
  .addHelpText(
    'after',
    `
Examples:
  npx redeemkit sandbox
  npx redeemkit sandbox --data .sandbox --env .env.sandbox
  npx redeemkit sandbox --chain base --fork-url https://… --fork-block 31000000
  npx redeemkit sandbox --with solana stellar
${exitCodeHelp('stopped by Ctrl+C or SIGTERM after it started')}`,
  )
  .action(async (options: SandboxCommandOptions) => {
    const { env, json } = options
    // Hides the arguments in the process list, which other users can read: a URL may contain a key.
    process.title = 'redeemkit sandbox'
    if (env !== undefined) await checkEnvFile(env)
    await untilStopped({
      start: (step) =>
        withProgress('Starting the payments service and its chains', {
          json,
          handlesSignals: true,
          work: (say): Promise<RunningSandbox<ServiceKind>> =>
            start(options, (text) => {
              step()
              say(text)
            }),
        }),
      onStarted: async (running) => {
        const settings = sandboxSettings(running)
        if (env !== undefined) await writeEnvFile(env, envText(settings))
        console.log(json ? JSON.stringify(settings, null, 2) : sandboxScreen(running))
      },
      stopped: stoppedText(options),
    })
  })

type SandboxCommandOptions = {
  port?: number
  chain?: EvmBlockchain
  blockchain?: EvmBlockchain
  with?: readonly ('solana' | 'stellar' | 'tempo')[]
  service: ServiceKind
  headerPrefix: string
  merchantId: string
  creditSeed?: string
  apiKey?: string
  merchants?: readonly string[]
  chargebackProtection: boolean
  '3ds': boolean
  data?: string
  dataDir?: string
  databaseUrl?: string
  env?: string
  json?: boolean
  allowOrigin?: readonly string[]
  walletFactory?: readonly Hex[]
  forkUrl?: string
  forkBlock?: number
  prod?: boolean
}

async function start(
  options: SandboxCommandOptions,
  onProgress: (text: string) => void,
): Promise<RunningSandbox<ServiceKind>> {
  const running = await startService(options, onProgress)
  try {
    await prepareDeployer(running)
    const withdraw = await announceSandbox(running).catch((error: unknown) => {
      printWarning(readError(error).message)
      return async () => {}
    })
    return { ...running, stop: () => withdraw().finally(running.stop) }
  } catch (error) {
    await running.stop()
    throw error
  }
}

async function startService(options: SandboxCommandOptions, onProgress: (text: string) => void) {
  const { chain = options.blockchain ?? 'base', data: dataDir = options.dataDir } = options
  const settings = { chargebackProtection: options.chargebackProtection, threeDs: options['3ds'] }
  // Loaded here, so that the other commands start faster.
  const { startSandbox } = await import('../startSandbox.ts')
  return startSandbox<ServiceKind>({
    port: options.port ?? (await readKeptSettings(dataDir)).ports.service ?? defaultPort,
    service: options.service,
    headerPrefix: options.headerPrefix,
    merchantId: options.merchantId,
    creditSeed: options.creditSeed,
    apiKey: options.apiKey,
    settings,
    merchants: options.merchants?.map((merchantId) => ({ merchantId, settings })),
    blockchains: [chain, ...(options.with ?? [])],
    dataDir,
    databaseUrl: options.databaseUrl,
    ...(options.forkUrl !== undefined && { forkUrl: options.forkUrl }),
    forkBlockNumber: options.forkBlock,
    environment: options.prod ? 'prod' : 'sandbox',
    allowedOrigins: options.allowOrigin,
    walletFactories: options.walletFactory,
    onWarning: printWarning,
    onProgress,
    ...printRequests(options),
  })
}

function stoppedText({ data, dataDir = data, databaseUrl }: SandboxCommandOptions): string {
  if (dataDir !== undefined) return `Stopped. The data is stored in ${resolve(dataDir)}.`
  if (databaseUrl === undefined) return 'Stopped. No data was stored.'
  return 'Stopped. The database is kept. The chains were not stored, because --data was not given.'
}

function readName(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('Pass text that is not empty.')
  return text
}

function readKey(text: string): string {
  if (!/^[\x21-\x7e]+$/.test(text)) throw new InvalidArgumentError('Pass ASCII characters without spaces.')
  return text
}
