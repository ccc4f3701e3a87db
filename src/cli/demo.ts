import { Command } from 'commander'

export const demo = new Command('demo')
  .description('Starts service and chains, redeems in every shape, and shows what is refused and why.')
  .action(async () => {
    // Stellar's SDK is an optional package: whoever runs the sandbox alone does not need it.
    const { runDemo } = await import('./demo/runDemo.ts')
    process.exitCode = (await runDemo()) ? 0 : 1
  })
