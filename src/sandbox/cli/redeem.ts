import { Command } from 'commander'
import { type Abi, createPublicClient, type Hex, http } from 'viem'
import { isServiceError } from '../../redeemkit/api/errors.ts'
import { amountPerCent, formatAmount, usdcDecimals } from '../../redeemkit/core/amount.ts'
import { BaseError } from '../../redeemkit/core/errors/baseError.ts'
import { showText } from '../../redeemkit/core/errors/showValue.ts'
import {
  InsufficientFundsError,
  RedeemRevertedError,
  RedeemWouldFailError,
} from '../../redeemkit/redeem/errors.ts'
import { isOpenRedeemError } from '../../redeemkit/redeem/isOpenRedeemError.ts'
import type { RedeemStep } from '../../redeemkit/redeem/redeemStep.ts'
import { mintCredits } from '../../redeemkit/schema/endpoints/routes.ts'
import { devAccount } from '../devAccounts.ts'
import {
  InvalidRedeemOptionsError,
  readRedeem,
  type TypedRedeem,
  testAccountAddresses,
} from './arguments/readRedeem.ts'
import { chainOf, clockOf, type SandboxChainFacts } from './connection/callSandbox.ts'
import { checkIntentBound, type FoundSandbox, findSandbox } from './connection/findSandbox.ts'
import {
  type MerchantOptions,
  merchantOf,
  merchantOptions,
  type RedeemOptions,
  redeemOptions,
  sandboxOptions,
  typeHelp,
} from './options.ts'
import { exitCodeHelp, printReadError } from './printError.ts'
import { errorBesideReport, printReport, readAbis, type SandboxReport } from './printReport.ts'
import { withProgress } from './withProgress.ts'

export const redeem = sandboxOptions(
  merchantOptions(
    redeemOptions(
      new Command('redeem').description(
        'Redeems on a running sandbox with the same client as a dApp, and reports what happened.',
      ),
    ),
  ),
)
  .addHelpText(
    'after',
    `${typeHelp}
${exitCodeHelp('redeemed, verdict ok or caution\n  1  verdict refuse: it was not redeemed, or someone lost money or tokens')}

Examples:
  npx redeemkit redeem --type token --to bob --amount 10.00
  npx redeemkit redeem --type safeMint --to 0x5FbDB2315678afecb367f032d93F642f64180aa3 \\
    --sig "mint(uint256,uint256)" --args 1 10000000 --amount 10.00 --as bob`,
  )
  .action(async (options: RedeemCommandOptions, command: Command) => {
    const { json } = options
    let isSubmitted = false
    const { report, sandbox, error } = await withProgress('Redeeming', {
      json,
      work: (say): Promise<Outcome> =>
        redeemAndReport(options, {
          command,
          say: (step) => {
            isSubmitted ||= step === stepTexts.submitting
            say(step)
          },
        }),
      interrupted: () =>
        isSubmitted
          ? "It was already submitted and may still be executed. Check the sandbox's dashboard."
          : 'Nothing was sent.',
    })
    if (error !== undefined) printReadError(errorBesideReport(error, { report, sandbox }))
    if (!json && error !== undefined) console.error('')
    printReport({ report, sandbox }, { json })
    if (error !== undefined) process.exitCode = 1
  })

type RedeemCommandOptions = RedeemOptions & MerchantOptions & { json?: boolean }

type Outcome = SandboxReport & { error?: unknown }

async function redeemAndReport(
  options: RedeemCommandOptions,
  { command, say }: { command: Command; say: (step: string) => void },
): Promise<Outcome> {
  const accounts = testAccountAddresses()
  const wallet = Object.hasOwn(accounts, options.as) ? accounts[options.as] : undefined
  if (wallet === undefined)
    throw new InvalidRedeemOptionsError(
      `${showText(options.as)} is not a test account, so its key is unknown.`,
      {
        field: '--as',
        fix: `Pass one of ${Object.keys(accounts).join(', ')}.`,
      },
    )
  const typed = readRedeem(options, accounts)
  const abis = await readAbis(options.abi, typed)
  say('Connecting to the sandbox')
  const sandbox = await findSandbox(command)
  checkIntentBound(sandbox)
  const chain = await chainOf(sandbox, options.chain)
  return sendAndReport(options, { typed, abis, wallet, chain, sandbox, say, dryRun: true })
}

type Sending = {
  typed: TypedRedeem
  abis: readonly Abi[]
  wallet: Hex
  chain: SandboxChainFacts
  sandbox: FoundSandbox
  say: (step: string) => void
  dryRun: boolean
}

async function sendAndReport(options: RedeemCommandOptions, sending: Sending): Promise<Outcome> {
  const { typed, abis, wallet, chain, sandbox, say } = sending
  const { creditsContract } = chain
  const { url } = sandbox
  const publicClient = createPublicClient({ transport: http(chain.rpcUrl) })
  const { reportTransaction } = await import('../simulation/reportTransaction.ts')
  // The service may have sent the redeem in a batch with other redeems.
  const reportOf = ({ hash, nonce }: { hash: Hex; nonce: Hex }) =>
    reportTransaction(publicClient, { hash, item: nonce, creditsContract, abis })
  try {
    return { report: await reportOf(await send(options, sending)), sandbox: url }
  } catch (error) {
    if (error instanceof RedeemRevertedError && isOpenRedeemError(error))
      return { report: await reportOf(error), sandbox: url, error }
    if (error instanceof InsufficientFundsError)
      throw withLocalFix(error, { url, wallet, blockchain: chain.blockchain })
    if (!isExplainable(error)) throw error
    say('Rejected. Simulating it to find out why')
    const { simulateOn } = await import('./simulateOn.ts')
    const { creditSeed } = merchantOf(options, sandbox)
    const signer = devAccount(options.as).account
    const report = await simulateOn(chain, { ...typed, creditSeed, wallet, signer, abis })
    // If only the dry run fails, show its error. The dry run gives the wallet code, and some contracts reject wallets with code.
    if (error instanceof RedeemWouldFailError && report.execution.succeeded)
      return sendAndReport(options, { ...sending, dryRun: false })
    return { report, sandbox: url, error }
  }
}

/** Whether a simulation can explain the rejection. */
function isExplainable(error: unknown): boolean {
  if (error instanceof RedeemWouldFailError) return true
  // After a submit, the service's rejection is the cause of the thrown error.
  const refusal = error instanceof BaseError ? error.walk(isServiceError) : undefined
  return isServiceError(refusal) && ['NOT_WHITELISTED', 'SIMULATION_FAILED'].includes(refusal.code)
}

async function send(options: RedeemCommandOptions, sending: Sending) {
  const { typed, chain, sandbox, say, dryRun } = sending
  const { url: baseUrl } = sandbox
  const { merchantId, creditSeed } = merchantOf(options, sandbox)
  const headerPrefix = options.headerPrefix ?? sandbox.headerPrefix
  const { blockchain, environment, creditsContract, chainId, rpcUrl } = chain
  const { createPaymentsClient } = await import('../../redeemkit/api/createPaymentsClient.ts')
  const { redeem: redeemCredits } = await import('../../redeemkit/redeem/redeem.ts')
  const now = await clockOf(sandbox, chainId)
  const client = createPaymentsClient({ baseUrl, merchantId, blockchain, environment, headerPrefix, now })
  const publicClient = createPublicClient({ transport: http(rpcUrl) })
  return redeemCredits(client, {
    signer: devAccount(options.as).account,
    publicClient,
    dryRun: dryRun ? publicClient : undefined,
    chainId,
    // Unlike a page, a command gives up before the permit expires.
    timeoutMs: 120_000,
    pollingIntervalMs: 100,
    pinned: { creditsContract, creditSeed },
    ...subtotalOf(typed, chain),
    transactionData: typed.transactionData,
    onStep: ({ step }) => {
      const text = stepTexts[step]
      if (text !== undefined) say(text)
    },
  })
}

const stepTexts: Partial<Record<RedeemStep['step'], string>> = {
  preparing: 'Preparing and checking what to sign',
  signing: 'Signing',
  submitting: 'Submitting',
  waiting: 'Waiting for confirmation',
}

/** Uses cents if the amount is a whole number of cents, otherwise a USDC amount, which allows fractions of a cent. */
function subtotalOf({ amount, usdcAmount }: TypedRedeem, { usdc }: SandboxChainFacts) {
  if (usdcAmount % amountPerCent !== 0n)
    throw new InvalidRedeemOptionsError('The USDC part is not a whole number of cents.', {
      field: '--usdc',
      fix: 'Pass at most two decimal places, such as 5.00.',
    })
  return {
    subtotal:
      amount % amountPerCent === 0n
        ? { cents: Number(amount / amountPerCent) }
        : { address: usdc, amount: formatAmount(amount, { decimals: usdcDecimals }) },
    ...(usdcAmount > 0n && { usdcAmount: { cents: Number(usdcAmount / amountPerCent) } }),
  }
}

function withLocalFix(
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
        ? 'Lower --usdc, or use another test account with --as.'
        : `Pay part of it with --usdc, use another test account with --as, or mint credits with your API key: curl -X POST ${new URL(mintCredits.path, url).href} -H "authorization: $REDEEMKIT_API_KEY" -H "content-type: application/json" -d '${JSON.stringify({ wallet, blockchain, amount: { cents } })}'`,
    cause: error,
  })
}
