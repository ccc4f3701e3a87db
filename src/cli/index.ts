#!/usr/bin/env node
import { Command } from 'commander'
import { demo } from './demo.ts'
import { sandbox } from './sandbox.ts'

await new Command('redeemkit')
  .description('Gasless credit redeems and USDC flows, on your own machine.')
  .addCommand(demo)
  .addCommand(sandbox)
  .parseAsync()
