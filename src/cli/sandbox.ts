import { resolve } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { evmBlockchains } from '../core/blockchains.ts'
import { startSandbox } from '../sandbox/startSandbox.ts'
import { errorText } from './errorText.ts'
import { logLine } from './logLine.ts'
import { sandboxScreen } from './sandboxScreen.ts'

export const sandbox = new Command('sandbox')
  .description('Runs the payments service with its chains until you press Ctrl+C.')
  .option('--port <port>', 'port of the service on 127.0.0.1', readPort, 4242)
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
  .option('--api-key <key>', "the merchant's key (default: a random one)", readName)
  .option('--data-dir <folder>', 'keep database and chains there; without it everything is gone at the end')
  .addOption(
    new Option('--database-url <url>', 'PostgreSQL server to keep the rows on, in place of the folder').env(
      'DATABASE_URL',
    ),
  )
  .option('--fork-url <url>', 'JSON-RPC endpoint to fork the chain from')
  .option(
    '--prod',
    'chain ids and USDC addresses of the production networks; all of it stays on this machine',
  )
  .action(async (options) => {
    const running = await startSandbox({
      port: options.port,
      service: options.service,
      headerPrefix: options.headerPrefix,
      merchantId: options.merchantId,
      creditSeed: options.creditSeed,
      apiKey: options.apiKey,
      blockchains: [options.blockchain, ...(options.with ?? [])],
      dataDir: options.dataDir,
      databaseUrl: options.databaseUrl,
      forkUrl: options.forkUrl,
      environment: options.prod ? 'prod' : 'sandbox',
      onProgress: (text) => console.error(`  ${text}`),
      onLog: (entry) => console.error(logLine(entry)),
    })
    console.log(sandboxScreen(running))
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => {
        running.stop().then(
          () => console.error(stoppedText(options)),
          (error: unknown) => {
            console.error(errorText(error))
            process.exitCode = 1
          },
        )
      })
  })

function stoppedText({ dataDir, databaseUrl }: { dataDir?: string; databaseUrl?: string }): string {
  if (dataDir !== undefined) return `Stopped. Data kept in ${resolve(dataDir)}.`
  if (databaseUrl === undefined) return 'Stopped. Nothing is kept.'
  return 'Stopped. The rows are kept in the database; the chains are gone, because there was no --data-dir.'
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= 65_535))
    throw new InvalidArgumentError('A port is a number between 0 and 65535; 0 takes a free one.')
  return port
}

function readName(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It is a text that is not empty.')
  return text
}
