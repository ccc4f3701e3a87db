import { styleText } from 'node:util'
import { Command, Option } from 'commander'
import { exitCodeHelp } from './exitCodes.ts'
import { defaultPort, readPort } from './readNumber.ts'

export const doctor = new Command('doctor')
  .description('Looks whether this machine has what the sandbox needs, and says what to do.')
  .option('--port <port>', 'port that the service would take', readPort, defaultPort)
  .option('--data <folder>', 'folder that it would keep its data in')
  .addOption(new Option('--data-dir <folder>').conflicts('data').hideHelp())
  .addOption(
    new Option('--fork-url <url>', 'JSON-RPC endpoint that a chain would be forked from').env('FORK_URL'),
  )
  .addOption(new Option('--database-url <url>', 'PostgreSQL server to keep the rows on').env('DATABASE_URL'))
  .option('--json', 'print the findings as one JSON array')
  .addHelpText('after', exitCodeHelp('nothing that is needed is missing\n  1  something is'))
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
