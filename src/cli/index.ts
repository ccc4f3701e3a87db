#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { demo } from './demo.ts'
import { doctor } from './doctor.ts'
import { errorText } from './errorText.ts'
import { listen } from './listen.ts'
import { resend } from './resend.ts'
import { sandbox } from './sandbox.ts'
import { trigger } from './trigger.ts'

// Lies two folders up in the sources and in the package alike.
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

try {
  await new Command('redeemkit')
    .description('Gasless credit redeems and USDC flows, on your own machine.')
    .version(version)
    .addCommand(demo)
    .addCommand(sandbox)
    .addCommand(listen)
    .addCommand(trigger)
    .addCommand(resend)
    .addCommand(doctor)
    .addHelpText(
      'after',
      '\nExamples:\n  npx redeemkit demo\n  npx redeemkit sandbox --with solana stellar\n  npx redeemkit sandbox --data-dir .sandbox --env .env.sandbox\n  npx redeemkit doctor\n  npx redeemkit sandbox --service unbound --header-prefix x-their-',
    )
    .parseAsync()
} catch (error) {
  console.error(errorText(error))
  process.exitCode = 1
}
