import { Command } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { decode } from './decode.ts'
import { demo } from './demo.ts'
import { doctor } from './doctor.ts'
import { exitCodes } from './exitCodes.ts'
import { listen } from './listen.ts'
import { redeem } from './redeem.ts'
import { resend } from './resend.ts'
import { sandbox } from './sandbox.ts'
import { simulate } from './simulate.ts'
import { trigger } from './trigger.ts'
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
