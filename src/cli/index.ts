#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { decode } from './decode.ts'
import { demo } from './demo.ts'
import { doctor } from './doctor.ts'
import { errorText } from './errorText.ts'
import { listen } from './listen.ts'
import { redeem } from './redeem.ts'
import { resend } from './resend.ts'
import { sandbox } from './sandbox.ts'
import { simulate } from './simulate.ts'
import { trigger } from './trigger.ts'
import { whitelist } from './whitelist.ts'

// Lies two folders up in the sources and in the package alike.
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

const examples = `
Examples:
  npx redeemkit demo
  npx redeemkit sandbox --data .sandbox
  npx redeemkit simulate --shape token --to bob --amount 10.00
  npx redeemkit help simulate`

try {
  await new Command('redeemkit')
    .description('Gasless credit redeems and USDC flows, on your own machine.')
    .version(version)
    .commandsGroup('Run:')
    .addCommand(demo)
    .addCommand(sandbox)
    .addCommand(doctor)
    .commandsGroup('A contract, on a sandbox that runs:')
    .addCommand(whitelist)
    .addCommand(simulate)
    .addCommand(redeem)
    .addCommand(decode)
    .commandsGroup('Webhooks, of a sandbox that runs:')
    .addCommand(listen)
    .addCommand(trigger)
    .addCommand(resend)
    .addHelpText('after', examples)
    .parseAsync()
} catch (error) {
  console.error(errorText(error))
  // A command may have said what its failure is.
  process.exitCode ??= 1
}
