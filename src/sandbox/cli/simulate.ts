import { Command } from 'commander'
import { devAccount } from '../devAccounts.ts'
import { readAccount, readRedeem, testAccountAddresses } from './arguments/readRedeem.ts'
import { chainOf } from './connection/callSandbox.ts'
import { checkIntentBound, findSandbox } from './connection/findSandbox.ts'
import {
  type MerchantOptions,
  merchantOf,
  merchantOptions,
  type RedeemOptions,
  redeemOptions,
  sandboxOptions,
  typeHelp,
} from './options.ts'
import { exitCodeHelp } from './printError.ts'
import { printReport, readAbis, type SandboxReport } from './printReport.ts'
import { withProgress } from './withProgress.ts'

export const simulate = sandboxOptions(
  merchantOptions(
    redeemOptions(
      new Command('simulate').description(
        'Simulates a redeem on a running sandbox and reports whether it is allowed and succeeds, what moves, what it costs, and which rules it breaks.',
      ),
    ),
  ),
)
  .addHelpText(
    'after',
    `${typeHelp}
${exitCodeHelp('verdict ok, or caution: warnings count as success\n  1  verdict refuse: it fails, or someone loses money or tokens')}

Examples, which redeem takes as well:
  npx redeemkit simulate --type token --to bob --amount 10.00
  npx redeemkit simulate --type normal --to 0x5FbDB2315678afecb367f032d93F642f64180aa3 \\
    --sig "buy(address,uint256)" --args alice 10000000 --amount 10.00 --usdc 5.00`,
  )
  .action(async (options: SimulateOptions, command: Command) => {
    const { json } = options
    const accounts = testAccountAddresses()
    const typed = readRedeem(options, accounts)
    const wallet = readAccount(options.as, { accounts, field: '--as' })
    const report = await withProgress('Simulating the redeem', {
      json,
      work: async (say): Promise<SandboxReport> => {
        say('Reading the ABIs')
        const abis = await readAbis(options.abi, typed)
        say('Connecting to the sandbox')
        const sandbox = await findSandbox(command)
        checkIntentBound(sandbox)
        const chain = await chainOf(sandbox, options.chain)
        // Loaded here, so that the other commands start faster.
        const { simulateOn } = await import('./simulateOn.ts')
        say('Simulating the redeem under several circumstances')
        const { creditSeed } = merchantOf(options, sandbox)
        // The command knows the keys of test accounts, so it can sign for them.
        const signer = Object.hasOwn(accounts, options.as) ? devAccount(options.as).account : undefined
        const report = await simulateOn(chain, { ...typed, creditSeed, wallet, signer, abis })
        return { report, sandbox: sandbox.url }
      },
    })
    printReport(report, { json })
  })

type SimulateOptions = RedeemOptions & MerchantOptions & { json?: boolean }
