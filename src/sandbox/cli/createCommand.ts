import { styleText } from 'node:util'
import { Command, Option } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { withPackage } from '../withPackage.ts'
import { decode } from './decode.ts'
import { listen } from './listen.ts'
import { defaultPort, readPort } from './options.ts'
import { exitCodeHelp, exitCodes } from './printError.ts'
import { redeem } from './redeem.ts'
import { sandbox } from './sandbox.ts'
import { simulate } from './simulate.ts'
import { resend, trigger } from './trigger.ts'
import { whitelist } from './whitelist.ts'

const examples = `
Examples:
  npx redeemkit demo
  npx redeemkit sandbox --data .sandbox
  npx redeemkit simulate --type token --to bob --amount 10.00
  npx redeemkit help simulate

Exit codes of every command:
  0    success, or a positive result
  1    a negative result: verdict refuse, unknown data, or something missing on this machine
  2    failure: invalid input, no running sandbox, or the sandbox rejected the request
  130  interrupted by Ctrl+C; 143 by SIGTERM`

export function createCommand(): Command {
  return exitCodes(
    new Command('redeemkit')
      .description('Gasless credit redeems and USDC flows on your own machine.')
      .version(manifest.version)
      .commandsGroup('Run:')
      .addCommand(demo)
      .addCommand(sandbox)
      .addCommand(doctor)
      .commandsGroup('Contracts (need a running sandbox):')
      .addCommand(whitelist)
      .addCommand(simulate)
      .addCommand(redeem)
      .addCommand(decode)
      .commandsGroup('Webhooks (need a running sandbox):')
      .addCommand(listen)
      .addCommand(trigger)
      .addCommand(resend)
      .addHelpText('after', examples),
  )
}

const demo = new Command('demo')
  .description(
    'Starts the service and its chains, redeems every transaction type, and shows which attacks are rejected and why.',
  )
  .addHelpText('after', exitCodeHelp('all checks passed\n  1  a check failed'))
  .action(async () => {
    // The demo needs the Stellar SDK, which is optional for the sandbox.
    const { runDemo } = await withPackage('@stellar/stellar-sdk', () => import('./demo/runDemo.ts'))
    process.exitCode = (await runDemo()) ? 0 : 1
  })

const doctor = new Command('doctor')
  .description(
    'Checks whether this machine has what the sandbox needs, and shows how to fix what is missing.',
  )
  .option('--port <port>', 'port for the service', readPort, defaultPort)
  .option('--data <folder>', 'data folder of the sandbox')
  .addOption(new Option('--data-dir <folder>').conflicts('data').hideHelp())
  .addOption(
    new Option('--fork-url <url>', 'JSON-RPC endpoint to fork a chain from').env('REDEEMKIT_FORK_URL'),
  )
  .addOption(new Option('--database-url <url>', 'PostgreSQL server for the database').env('DATABASE_URL'))
  .option('--json', 'print the results as one JSON array')
  .addHelpText('after', exitCodeHelp('everything required is available\n  1  something is missing'))
  .action(async ({ json, data, dataDir = data, ...options }) => {
    const { runDoctor } = await import('./runDoctor.ts')
    const lines = await runDoctor({ ...options, dataDir }, ({ check, state, found, fix }) => {
      if (json) return
      console.log(`${styleText(colours[state], state.padEnd(4))}  ${check.padEnd(12)} ${found}`)
      if (fix !== undefined) console.log(`${' '.repeat(19)}${styleText('dim', fix)}`)
    })
    if (json) console.log(JSON.stringify(lines, null, 2))
    if (lines.some(({ state }) => state === 'fail')) process.exitCode = 1
  })

const colours = { ok: 'green', warn: 'yellow', fail: 'red' } as const
