import { Command } from 'commander'
import { createPublicClient, http } from 'viem'
import { devAccount } from '../devAccounts.ts'
import type { RedeemReport } from '../simulation/redeemReport.ts'
import { peopleAddresses, readAttempt, readPerson } from './arguments/readRedeem.ts'
import {
  type AttemptOptions,
  attemptOptions,
  type MerchantOptions,
  merchantOf,
  merchantOptions,
  shapeHelp,
} from './arguments/redeemOptions.ts'
import { chainOf } from './connection/callSandbox.ts'
import { checkBound, findSandbox, sandboxOptions } from './connection/findSandbox.ts'
import { exitCodeHelp } from './exitCodes.ts'
import { printReport, readAbis } from './printReport.ts'
import { withProgress } from './withProgress.ts'

export const simulate = sandboxOptions(
  merchantOptions(
    attemptOptions(
      new Command('simulate').description(
        'Tries a redeem on a running sandbox without sending it, and reports: whether it is allowed and goes through, what moves, what it costs, and which rules it breaks.',
      ),
    ).option('--wallet <address>', 'the customer: an address, or the name of a person', 'alice'),
  ),
)
  .addHelpText(
    'after',
    `${shapeHelp}
${exitCodeHelp('it goes through; with --json the verdict is ok, or caution when there are warnings\n  1  it is refused: it fails, or somebody loses by it')}

Examples:
  npx redeemkit simulate --shape token --to bob --amount 10.00
  npx redeemkit simulate --shape normal --to 0x5FbDB2315678afecb367f032d93F642f64180aa3 \\
    --sig "buy(address,uint256)" --args alice 10000000 --amount 10.00 --usdc 5.00`,
  )
  .action(async (options: SimulateOptions, command: Command) => {
    const { json } = options
    const people = peopleAddresses()
    const attempt = readAttempt(options, people)
    const wallet = readPerson(options.wallet, { people, field: '--wallet' })
    const report = await withProgress('Trying the redeem', {
      json,
      work: async (say): Promise<RedeemReport> => {
        say('Reading the ABIs')
        const abis = await readAbis(options.abi, attempt)
        say('Asking the sandbox')
        const sandbox = await findSandbox(command)
        checkBound(sandbox)
        const chain = await chainOf(sandbox, options.chain)
        // The engine is loaded where it runs: the other commands answer sooner without it.
        const { simulateRedeem } = await import('../simulation/simulateRedeem.ts')
        const { gasFeeAt } = await import('./gasFeeAt.ts')
        say('Running the redeem, and again under other circumstances')
        return simulateRedeem(createPublicClient({ transport: http(chain.rpcUrl) }), {
          ...attempt,
          creditsContract: chain.creditsContract,
          creditSeed: merchantOf(options, sandbox).creditSeed,
          relayer: chain.operator,
          wallet,
          // Of a person the key is known: then nobody has to be played.
          signer: Object.hasOwn(people, options.wallet) ? devAccount(options.wallet).account : undefined,
          abis,
          feeOf: gasFeeAt(chain),
          rules: 'all',
        })
      },
    })
    printReport(report, { json })
  })

type SimulateOptions = AttemptOptions & MerchantOptions & { wallet: string; json?: boolean }
