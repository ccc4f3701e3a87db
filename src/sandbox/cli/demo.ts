import { Command } from 'commander'
import { withPackage } from '../withPackage.ts'
import { exitCodeHelp } from './exitCodes.ts'

export const demo = new Command('demo')
  .description('Starts service and chains, redeems in every shape, and shows what is refused and why.')
  .addHelpText('after', exitCodeHelp('every part did what it should\n  1  one did not'))
  .action(async () => {
    // Stellar is a part of it, whose SDK is an optional package: whoever runs the sandbox alone does not need it.
    const { runDemo } = await withPackage('@stellar/stellar-sdk', () => import('./demo/runDemo.ts'))
    process.exitCode = (await runDemo()) ? 0 : 1
  })
