import { Command } from 'commander'
import { runDemo } from './demo/runDemo.ts'

export const demo = new Command('demo')
  .description('Starts service and chains, redeems in every shape, and shows what is refused and why.')
  .action(async () => {
    process.exitCode = (await runDemo()) ? 0 : 1
  })
