import { Command } from 'commander'
import { withPackage } from '../withPackage.ts'
import { exitCodeHelp } from './exitCodes.ts'

export const demo = new Command('demo')
  .description(
    'Starts the service and its chains, redeems every transaction type, and shows which attacks are rejected and why.',
  )
  .addHelpText('after', exitCodeHelp('all checks passed\n  1  a check failed'))
  .action(async () => {
    // The demo needs the Stellar SDK, which is optional for the sandbox.
    const { runDemo } = await withPackage('@stellar/stellar-sdk', () => import('./demo/runDemo.ts'))
    process.exitCode = (await runDemo()) ? 0 : 1
  })
