import { styleText } from 'node:util'
import { Command, Option } from 'commander'
import { exitCodeHelp } from './exitCodes.ts'
import { defaultPort, readPort } from './readNumber.ts'

export const doctor = new Command('doctor')
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
