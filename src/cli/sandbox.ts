import { resolve } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { evmBlockchains } from '../core/blockchains.ts'
import { readKeptSettings } from '../sandbox/start/keptSettings.ts'
import { startSandbox } from '../sandbox/startSandbox.ts'
import { logLine } from './logLine.ts'
import { defaultPort, readPort } from './readPort.ts'
import { sandboxScreen } from './sandboxScreen.ts'
import { envText, sandboxSettings } from './sandboxSettings.ts'
import { untilStopped } from './untilStopped.ts'
import { checkEnvFile, writeEnvFile } from './writeEnvFile.ts'

export const sandbox = new Command('sandbox')
  .description('Runs the payments service with its chains until you press Ctrl+C.')
  .option(
    '--port <port>',
    'port of the service on 127.0.0.1 (default: the one that --data-dir keeps, or 4242)',
    readPort,
  )
  .addOption(
    new Option('--blockchain <name>', 'chain to redeem on')
      .choices(evmBlockchains.filter((name) => name !== 'tempo'))
      .default('base'),
  )
  .addOption(
    new Option(
      '--with <names...>',
      'also start these chains; stellar needs: npm install @stellar/stellar-sdk',
    ).choices(['solana', 'stellar', 'tempo']),
  )
  .addOption(
    new Option(
      '--service <kind>',
      "unbound plays services as they are in the field: others' nonces, errors and empty bodies",
    )
      .choices(['bound', 'unbound'])
      .default('bound'),
  )
  .option('--header-prefix <prefix>', "beginning of the service's header names", 'x-svc-')
  .option('--merchant-id <id>', 'the merchant', readName, 'sandbox-shop')
  .option(
    '--credit-seed <seed>',
    "name of the merchant's credit balance (default: the merchant id)",
    readName,
  )
  .option(
    '--api-key <key>',
    "the merchant's key (default: the one that --data-dir keeps, or a random one)",
    readName,
  )
  .option('--merchants <ids...>', 'further merchants, each with a key of its own')
  .option(
    '--data-dir <folder>',
    'keep database and chains there, with the same ports, keys and addresses; without it everything is gone at the end',
  )
  .addOption(
    new Option('--database-url <url>', 'PostgreSQL server to keep the rows on, in place of the folder').env(
      'DATABASE_URL',
    ),
  )
  .option('--env <file>', 'write what a program needs to use it into a .env file')
  .option('--json', 'print that as one JSON object')
  .option(
    '--allow-origin <origins...>',
    'pages that may ask it, beside those of this machine: https://shop.example',
  )
  .option('--fork-url <url>', 'JSON-RPC endpoint to fork the chain from')
  .option(
    '--prod',
    'chain ids and USDC addresses of the production networks; all of it stays on this machine',
  )
  .action(async (options) => {
    if (options.env !== undefined) await checkEnvFile(options.env)
    const running = await startSandbox({
      port: options.port ?? (await readKeptSettings(options.dataDir)).ports.service ?? defaultPort,
      service: options.service,
      headerPrefix: options.headerPrefix,
      merchantId: options.merchantId,
      creditSeed: options.creditSeed,
      apiKey: options.apiKey,
      merchants: options.merchants?.map((merchantId: string) => ({ merchantId })),
      blockchains: [options.blockchain, ...(options.with ?? [])],
      dataDir: options.dataDir,
      databaseUrl: options.databaseUrl,
      ...(options.forkUrl !== undefined && { forkUrl: options.forkUrl }),
      environment: options.prod ? 'prod' : 'sandbox',
      allowedOrigins: options.allowOrigin,
      onWarning: (text) => console.error(`Warning: ${text}`),
      onProgress: (text) => console.error(`  ${text}`),
      onLog: (entry) => console.error(logLine(entry)),
    })
    untilStopped({ stop: running.stop, stopped: stoppedText(options) })
    const settings = sandboxSettings(running)
    try {
      if (options.env !== undefined) await writeEnvFile(options.env, envText(settings))
    } catch (error) {
      await running.stop()
      throw error
    }
    console.log(options.json ? JSON.stringify(settings, null, 2) : sandboxScreen(running))
  })

function stoppedText({ dataDir, databaseUrl }: { dataDir?: string; databaseUrl?: string }): string {
  if (dataDir !== undefined) return `Stopped. Data kept in ${resolve(dataDir)}.`
  if (databaseUrl === undefined) return 'Stopped. Nothing is kept.'
  return 'Stopped. The rows are kept in the database; the chains are gone, because there was no --data-dir.'
}

function readName(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It is a text that is not empty.')
  return text
}
