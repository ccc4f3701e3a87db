import { Command } from 'commander'
import { type Abi, createPublicClient, type Hex, http } from 'viem'
import { isServiceError } from '../../redeemkit/api/serviceError.ts'
import { formatAmount } from '../../redeemkit/core/amount/formatAmount.ts'
import { BaseError } from '../../redeemkit/core/errors/baseError.ts'
import {
  InsufficientFundsError,
  RedeemRevertedError,
  RedeemWouldFailError,
} from '../../redeemkit/redeem/errors.ts'
import type { RedeemStep } from '../../redeemkit/redeem/redeemStep.ts'
import { devAccount } from '../devAccounts.ts'
import { peopleNames } from '../runningSandbox.ts'
import type { RedeemReport } from '../simulation/redeemReport.ts'
import { type Attempt, InvalidAttemptError, peopleAddresses, readAttempt } from './arguments/readRedeem.ts'
import {
  type AttemptOptions,
  attemptOptions,
  type MerchantOptions,
  merchantOf,
  merchantOptions,
  shapeHelp,
} from './arguments/redeemOptions.ts'
import { chainOf, type SandboxChainFacts } from './connection/callSandbox.ts'
import { checkBound, type FoundSandbox, findSandbox, sandboxOptions } from './connection/findSandbox.ts'
import { exitCodeHelp } from './exitCodes.ts'
import { printError } from './printError.ts'
import { printReport, readAbis } from './printReport.ts'
import { withProgress } from './withProgress.ts'

export const redeem = sandboxOptions(
  merchantOptions(
    attemptOptions(
      new Command('redeem').description(
        'Redeems for real on a running sandbox, with the client that a dApp uses, and reports what happened.',
      ),
    )
      .option('--as <name>', `who redeems, and signs: ${peopleNames.join(', ')}`, 'alice')
      .option(
        '--header-prefix <prefix>',
        "beginning of the service's header names (default: the sandbox's, else x-svc-)",
      ),
  ),
)
  .addHelpText(
    'after',
    `${shapeHelp}
${exitCodeHelp('it was redeemed\n  1  it was refused, or reverted: the report says why')}

Examples:
  npx redeemkit redeem --shape token --to bob --amount 10.00
  npx redeemkit redeem --shape safeMint --to 0x5FbDB2315678afecb367f032d93F642f64180aa3 \\
    --sig "mint(uint256,uint256)" --args 1 10000000 --amount 10.00 --as bob`,
  )
  .action(async (options: RedeemCommandOptions, command: Command) => {
    const { json } = options
    let isSubmitted = false
    const { report, error } = await withProgress('Redeeming', {
      json,
      work: (say): Promise<Outcome> =>
        redeemAndReport(options, {
          command,
          say: (step) => {
            isSubmitted ||= step === stepWords.submitting
            say(step)
          },
        }),
      interrupted: () =>
        isSubmitted
          ? "It was handed to the service already and may still execute: the sandbox's dashboard lists it."
          : 'Nothing was sent.',
    })
    if (error !== undefined) printError(error)
    if (report === undefined) return
    if (!json && error !== undefined) console.error('')
    printReport(report, { json })
    process.exitCode = error === undefined && report.execution.succeeded ? 0 : 1
  })

type RedeemCommandOptions = AttemptOptions &
  MerchantOptions & { as: string; headerPrefix?: string; json?: boolean }

type Outcome = { report: RedeemReport; error?: unknown }

async function redeemAndReport(
  options: RedeemCommandOptions,
  { command, say }: { command: Command; say: (step: string) => void },
): Promise<Outcome> {
  const people = peopleAddresses()
  const wallet = Object.hasOwn(people, options.as) ? people[options.as] : undefined
  if (wallet === undefined)
    throw new InvalidAttemptError('A redeem is signed, and only the keys of people are known here.', {
      field: '--as',
      fix: `Name one of ${Object.keys(people).join(', ')}.`,
    })
  const attempt = readAttempt(options, people)
  const abis = await readAbis(options.abi, attempt)
  say('Asking the sandbox')
  const sandbox = await findSandbox(command)
  checkBound(sandbox)
  const chain = await chainOf(sandbox, options.chain)
  return sendAndReport(options, { attempt, abis, wallet, chain, sandbox, say, dryRun: true })
}

type Sending = {
  attempt: Attempt
  abis: readonly Abi[]
  wallet: Hex
  chain: SandboxChainFacts
  sandbox: FoundSandbox
  say: (step: string) => void
  /** Whether what would fail is told before anything is signed. */
  dryRun: boolean
}

async function sendAndReport(options: RedeemCommandOptions, sending: Sending): Promise<Outcome> {
  const { attempt, abis, wallet, chain, sandbox, say } = sending
  const { creditsContract } = chain
  const publicClient = createPublicClient({ transport: http(chain.rpcUrl) })
  const { reportTransaction } = await import('../simulation/reportTransaction.ts')
  try {
    const { hash } = await send(options, sending)
    return { report: await reportTransaction(publicClient, { hash, creditsContract, abis }) }
  } catch (error) {
    if (error instanceof RedeemRevertedError) {
      const { hash } = error
      return { report: await reportTransaction(publicClient, { hash, creditsContract, abis }), error }
    }
    if (error instanceof InsufficientFundsError)
      throw withWayOut(error, { url: sandbox.url, wallet, blockchain: chain.blockchain })
    if (!isJudgement(error)) throw error
    say('It was refused; trying it here to see why')
    const { simulateRedeem } = await import('../simulation/simulateRedeem.ts')
    const { gasFeeAt } = await import('./gasFeeAt.ts')
    const report = await simulateRedeem(publicClient, {
      ...attempt,
      creditsContract,
      creditSeed: merchantOf(options, sandbox).creditSeed,
      relayer: chain.operator,
      wallet,
      signer: devAccount(options.as).account,
      abis,
      feeOf: gasFeeAt(chain),
      rules: 'all',
    })
    // A dry run plays the wallet by code, which some contracts turn away.
    if (error instanceof RedeemWouldFailError && report.execution.succeeded)
      return sendAndReport(options, { ...sending, dryRun: false })
    return { report, error }
  }
}

/** Whether the chain, or the service for what the chain says of it, has refused it: the report says more. */
function isJudgement(error: unknown): boolean {
  if (error instanceof RedeemWouldFailError) return true
  // After the submit it stands behind an error that says what may still happen.
  const refusal = error instanceof BaseError ? error.walk(isServiceError) : undefined
  return isServiceError(refusal) && ['NOT_WHITELISTED', 'SIMULATION_FAILED'].includes(refusal.code)
}

async function send(options: RedeemCommandOptions, sending: Sending) {
  const { attempt, chain, sandbox, say, dryRun } = sending
  const { url: baseUrl } = sandbox
  const { merchantId, creditSeed } = merchantOf(options, sandbox)
  const headerPrefix = options.headerPrefix ?? sandbox.headerPrefix
  const { blockchain, environment, creditsContract, chainId, rpcUrl } = chain
  const { createPaymentsClient } = await import('../../redeemkit/api/createPaymentsClient.ts')
  const { redeem: redeemCredits } = await import('../../redeemkit/redeem/redeem.ts')
  const client = createPaymentsClient({ baseUrl, merchantId, blockchain, environment, headerPrefix })
  const publicClient = createPublicClient({ transport: http(rpcUrl) })
  return redeemCredits(client, {
    signer: devAccount(options.as).account,
    publicClient,
    dryRun: dryRun ? publicClient : undefined,
    chainId,
    pollingIntervalMs: 100,
    pinned: { creditsContract, domainName: 'Credits', creditSeed },
    ...subtotalOf(attempt, chain),
    transactionData: attempt.transactionData,
    onStep: ({ step }) => {
      const words = stepWords[step]
      if (words !== undefined) say(words)
    },
  })
}

const stepWords: Partial<Record<RedeemStep['step'], string>> = {
  preparing: 'Asking what to sign, and comparing the answer',
  signing: 'Signing',
  submitting: 'Submitting',
  waiting: 'Waiting for the chain',
}

const amountPerCent = 10_000n

/** Dollars where they are whole cents, else the chain's USDC: the service takes parts of a cent in no other way. */
function subtotalOf({ amount, usdcAmount }: Attempt, { usdc }: SandboxChainFacts) {
  if (usdcAmount % amountPerCent !== 0n)
    throw new InvalidAttemptError('The part in USDC is no whole number of cents.', {
      field: '--usdc',
      fix: 'Give two decimal places: 5.00.',
    })
  return {
    subtotal:
      amount % amountPerCent === 0n
        ? { cents: Number(amount / amountPerCent) }
        : { address: usdc, amount: formatAmount(amount, { decimals: 6 }) },
    ...(usdcAmount > 0n && { usdcAmount: { cents: Number(usdcAmount / amountPerCent) } }),
  }
}

/** The same, with what helps on this machine. */
function withWayOut(
  error: InsufficientFundsError,
  { url, wallet, blockchain }: { url: string; wallet: Hex; blockchain: string },
): InsufficientFundsError {
  const { asset, have, need, shortMessage } = error
  const cents = Number((need - have) / amountPerCent) + 1
  return new InsufficientFundsError(shortMessage, {
    asset,
    have,
    need,
    field: asset === 'usdc' ? '--usdc' : '--amount',
    fix:
      asset === 'usdc'
        ? 'Pay less of it in USDC, or name somebody else with --as.'
        : `Pay a part with --usdc, name somebody else with --as, or mint credits with your API key: curl -X POST ${new URL('/api/merchant/credits/mint', url).href} -H "authorization: $REDEEMKIT_API_KEY" -H "content-type: application/json" -d '${JSON.stringify({ wallet, blockchain, amount: { cents } })}'`,
    cause: error,
  })
}
