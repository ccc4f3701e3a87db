import {
  BaseError,
  ChainReadError,
  createPaymentsClient,
  describeSigning,
  formatUsd,
  isOpenRedeemError,
  listOpenRedeems,
  type PreparedRedeem,
  type RedeemStep,
  redeem,
} from 'redeemkit'
import { token } from 'redeemkit/evm'
import { createClient, type Hex, http } from 'viem'
import type { privateKeyToAccount } from 'viem/accounts'
import { type Budget, type Entry, isSamePayment, OverLimitError, openBudget } from './budget.ts'
import type { FileStorage } from './fileStorage.ts'
import type { Payment, Settings } from './settings.ts'

export type Agent = {
  settings: Settings
  /** Signs payments. It spends only credits and USDC, so it needs no native coin. */
  account: ReturnType<typeof privateKeyToAccount>
  storage: FileStorage
  log: (line: LogLine) => void
  /** Ends the agent after the running payment. */
  signal?: AbortSignal
}

/** One step of one payment. Never contains a key or a signature. */
export type LogLine = {
  id: string
  step:
    | 'resuming'
    | 'checked'
    | 'signing'
    | 'submitted'
    | 'paid'
    | 'paidAlready'
    | 'refused'
    | 'failed'
    | 'open'
  text: string
}

export const exitCodes = {
  /** All requested payments are made. */
  paid: 0,
  /** The agent's limits or the service refused a payment, which was not made. */
  refused: 1,
  /** Settings, key or payments are invalid. Nothing was started. */
  unusable: 2,
  /** A payment is not complete: its outcome is unknown, or the service could not be reached. Start the agent again. */
  again: 3,
} as const

/** Pays each requested payment once, one after another. First resumes what an earlier run left unfinished. */
export async function runAgent(agent: Agent, payments: readonly Payment[]): Promise<number> {
  const budget = openBudget(agent.storage, agent.settings)
  const unfinished = await budget.unfinished()
  for (const { id } of unfinished)
    agent.log({ id, step: 'resuming', text: 'An earlier run did not finish this payment.' })
  const codes: number[] = []
  const others = payments.filter((payment) => !unfinished.some((one) => isSamePayment(one, payment)))
  for (const payment of [...unfinished, ...others]) {
    if (agent.signal?.aborted) return exitCodes.again
    codes.push(await payOnce(agent, budget, payment))
  }
  return Math.max(exitCodes.paid, ...codes)
}

async function payOnce(agent: Agent, budget: Budget, payment: Payment): Promise<number> {
  const { id } = payment
  const say = (step: LogLine['step'], text: string) => agent.log({ id, step, text })
  let entry: Entry | undefined
  try {
    entry = await budget.reserve(payment)
    if (entry.state === 'paid') {
      say('paidAlready', `${formatUsd(BigInt(entry.spent))} on ${entry.day}, ${entry.hash}`)
      return exitCodes.paid
    }
    const paid = await payReserved(agent, payment, say)
    await budget.settle(entry, paid)
    const today = await budget.spentToday()
    say('paid', `${formatUsd(paid.spent)}, ${paid.hash}; ${formatUsd(today)} today`)
    return exitCodes.paid
  } catch (error) {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    // The payment may still be executed, so its amount stays reserved. The next run checks the chain first.
    if (isOpenRedeemError(error) || (await wasSigned(agent, payment))) {
      say('open', text)
      return exitCodes.again
    }
    if (entry !== undefined) await budget.release(id)
    const isOwn = error instanceof OverLimitError || error instanceof NotSignedError
    say(isOwn ? 'refused' : 'failed', text)
    return agent.signal?.aborted || isForNow(error) ? exitCodes.again : exitCodes.refused
  }
}

/** Whether the storage contains a signature for this payment. */
async function wasSigned({ settings, account, storage }: Agent, { id }: Payment): Promise<boolean> {
  const { open, unreadable } = await listOpenRedeems(clientOf(settings, account), {
    pinned: settings.pinned,
    storage,
  })
  return (
    unreadable.length > 0 || open.some(({ state, options }) => state !== 'begun' && options.purchaseId === id)
  )
}

/** Whether the same payment may succeed a little later. */
function isForNow(error: unknown): boolean {
  if (error instanceof ChainReadError) return true
  return (
    error instanceof BaseError && 'remedy' in error && /^(tryAgain|wait|backOff)$/.test(String(error.remedy))
  )
}

/** Runs the redeem. After a crash, the reserved budget and the stored purchase are enough to resume it. */
async function payReserved(
  { settings, account, storage, signal }: Agent,
  payment: Payment,
  say: (step: LogLine['step'], text: string) => void,
): Promise<{ spent: bigint; hash: Hex }> {
  const client = clientOf(settings, account)
  const { outcome } = await redeem(client, {
    signer: account,
    publicClient: createClient({ transport: http(settings.rpcUrl) }),
    pinned: settings.pinned,
    purchaseId: payment.id,
    storage,
    subtotal: { cents: payment.cents },
    usdcAmount: payment.usdcCents === undefined ? undefined : { cents: payment.usdcCents },
    transactionData: token({ destination: payment.to }),
    signal,
    onStep: (step) => tell(step, say),
  })
  return { spent: outcome.charged + outcome.usdcAmount, hash: outcome.hash }
}

function clientOf({ baseUrl, merchantId, blockchain, environment }: Settings, { address }: Agent['account']) {
  return createPaymentsClient({ baseUrl, merchantId, blockchain, environment, wallet: address })
}

/** Logs each step, and checks every prepared redeem. An error thrown here prevents the signature. */
function tell(step: RedeemStep, say: (step: LogLine['step'], text: string) => void): void {
  if (step.step === 'prepared') say('checked', readToSign(step.prepared))
  if (step.step === 'signing') say('signing', step.prompt)
  if (step.step === 'submitted') say('submitted', step.submitted.hash)
}

/**
 * Amount, receiver, contract, chain and maximum fee were compared with the request and the pins. An agent cannot ask a person, so it
 * refuses a redeem with a warning.
 */
function readToSign(prepared: PreparedRedeem): string {
  const noticed = prepared.findings.filter(({ severity }) => severity !== 'info')
  if (noticed.length > 0)
    throw new NotSignedError(noticed.map(({ code, message }) => `${code}: ${message}`).join(' '))
  return describeSigning(prepared).text
}

class NotSignedError extends Error {
  override readonly name = 'NotSignedError'
}
