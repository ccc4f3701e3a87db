import { and, asc, eq, inArray, notInArray, sql } from 'drizzle-orm'
import { erc20Abi, parseAbi } from 'viem'
import { readUsdcBalance } from '../../contracts/creditsReads.ts'
import { findSettled, settlementId } from '../../contracts/paymentSettlement.ts'
import { decodeRevert, revertDataOf } from '../../contracts/revert.ts'
import type { Pauses } from '../../relayer/createLoop.ts'
import { TransactionTooLarge } from '../../relayer/journalTransaction.ts'
import { withHeadroom } from '../../relayer/relayerChain.ts'
import type { Database, DatabaseWork } from '../../store/database.ts'
import { emitEvent } from '../../store/emitEvent.ts'
import { openTransactionStates } from '../../store/states.ts'
import { isFor, merchants, payments, transactions } from '../../store/tables/index.ts'
import { paymentEvent } from '../payments/movePayment.ts'
import type { PaymentRow } from '../payments/paymentRecord.ts'
import type { Service } from '../service.ts'
import {
  checkAttempts,
  closePayment,
  failPayment,
  lockDue,
  type Settling,
  whileAuthorized,
} from './closePayment.ts'
import { isOnStellar, outcomeOf, PaymentNotSettledError, paysUsdc } from './outcome.ts'
import { paymentCall, type SettlementChain } from './paymentCall.ts'
import { isJournalledOnStellar, settleOnStellar } from './settleOnStellar.ts'

/**
 * A payment that settles on chain stays `authorized` until `settleDue` settles it (PROTOCOL.md 10.2). Merchants can request an event
 * before settlement (PROTOCOL.md 10.4).
 */
export async function settlePayment(
  service: Pick<Service, 'now'>,
  work: DatabaseWork,
  payment: PaymentRow,
): Promise<PaymentRow> {
  if (payment.status !== 'authorized' || payment.authOnly) return payment
  const at = new Date(service.now())
  await emitPresettle(work, payment, at)
  const { kind, amount } = outcomeOf(payment)
  const onChain = kind !== 'wallet' || paysUsdc(payment)
  if (onChain && amount > 0n) return payment
  return closePayment(work, { payment, at })
}

async function emitPresettle(work: DatabaseWork, payment: PaymentRow, at: Date): Promise<void> {
  const [merchant] = await work
    .select({ settings: merchants.settings })
    .from(merchants)
    .where(eq(merchants.merchantId, payment.merchantId))
  if (merchant?.settings.sendPresettleWebhooks === true)
    await emitEvent(work, paymentEvent(payment, 'presettle', at))
}

/**
 * Settles each payment only once (PROTOCOL.md 10.2); one that cannot be settled fails without side effects. Several processes can run
 * this concurrently. Returns whether any payment is still due.
 */
export async function settleDue(service: Service, database: Database, pauses: Pauses): Promise<boolean> {
  const paused = pauses.keys()
  const sent = database
    .select({ paymentId: sql<string>`${transactions.reference} ->> 'paymentId'` })
    .from(transactions)
    .where(and(isFor({ kind: 'payment' }), inArray(transactions.status, [...openTransactionStates])))
  const due = await database
    .select()
    .from(payments)
    .innerJoin(merchants, eq(merchants.merchantId, payments.merchantId))
    .where(
      and(
        eq(payments.status, 'authorized'),
        eq(payments.authOnly, false),
        // Excluded, because payments that wait must not use up the limit.
        notInArray(payments.paymentId, sent),
        notInArray(payments.paymentId, [...paused]),
      ),
    )
    .orderBy(asc(payments.updatedAt))
    .limit(100)
  for (const { payments: payment, merchants: merchant } of due) {
    const settling = { database, payment, creditSeed: merchant.creditSeed }
    // After a failure of the node or database, or without enough USDC of the operator, this payment waits and the others continue.
    await pauses.run(payment.paymentId, () => settleOrFail(service, settling), service.onError)
  }
  return due.length > 0 || paused.length > 0
}

async function settleOne(service: Service, settling: Settling): Promise<void> {
  const { database, payment } = settling
  const { count, isOpen } = await attemptsOf(database, payment)
  // One transaction at a time. After a revert or drop, the simulation decides whether to send another.
  if (isOpen) return
  checkAttempts(count)
  await send(service, { ...settling, attempt: count + 1 })
}

async function attemptsOf(
  work: Pick<DatabaseWork, 'select'>,
  { paymentId }: PaymentRow,
): Promise<{ count: number; isOpen: boolean }> {
  const sent = await work
    .select({ status: transactions.status })
    .from(transactions)
    .where(isFor({ kind: 'payment', paymentId }))
  const isOpen = sent.some(({ status }) => status !== 'reverted' && status !== 'dropped')
  return { count: sent.length, isOpen }
}

async function settleOrFail(service: Service, settling: Settling): Promise<void> {
  const { database, payment } = settling
  try {
    await (isOnStellar(outcomeOf(payment)) ? settleOnStellar : settleOne)(service, settling)
  } catch (error) {
    if (!(error instanceof PaymentNotSettledError)) throw error
    await whileAuthorized(database, payment.paymentId, async (work) => {
      // Another process may have sent the transaction and so caused this failure.
      if ((await attemptsOf(work, payment)).isOpen || (await isJournalledOnStellar(work, payment))) return
      await failPayment(work, { payment, reason: error.shortMessage, at: new Date(service.now()) })
    })
  }
}

async function send(service: Service, sending: Settling & { attempt: number }): Promise<void> {
  const { database, payment, creditSeed, attempt } = sending
  const { paymentId } = payment
  const { chain, call, fromOperator } = await paymentCall(service, { payment, creditSeed })
  await requireOperatorUsdc(chain, fromOperator)
  let gas: bigint
  try {
    gas = await chain.client.estimateGas({ account: chain.operator.address, ...call })
  } catch (error) {
    const data = revertDataOf(error)
    if (data === undefined) throw error
    const revert = decodeRevert(data)
    if (passing.has(revert.error?.name ?? '')) throw error
    if (revert.error?.name !== 'AlreadySettled') throw new PaymentNotSettledError(messageOf(revert))
    const hash = await findSettled(chain, { id: settlementId(paymentId), fromBlock: 0n })
    const at = new Date(service.now())
    await whileAuthorized(database, paymentId, (work) => closePayment(work, { payment, hash, at }))
    return
  }
  try {
    await service.relayer.send({
      chainId: chain.chainId,
      account: chain.operator,
      reference: { kind: 'payment', paymentId, attempt },
      // Nested calls reserve a 64th at each level. Unused gas costs nothing.
      request: { ...call, gas: withHeadroom(gas, 50_000n) },
      // No journal row is written if the payment has changed in the meantime.
      also: async (work) => {
        if ((await lockDue(work, paymentId)) === undefined)
          throw new Error(`Payment ${paymentId} is no longer due.`)
      },
    })
  } catch (cause) {
    if (!(cause instanceof TransactionTooLarge)) throw cause
    throw new PaymentNotSettledError(`The payment cannot be settled: ${cause.message}`)
  }
}

/** Errors of temporary reverts, after which the payment waits. */
const passing: ReadonlySet<string> = new Set(['EnforcedPause', 'AccessControlUnauthorizedAccount'])

/** Throws if the operator has too little USDC: then payments wait instead of failing. */
async function requireOperatorUsdc(chain: SettlementChain, amount: bigint): Promise<void> {
  const token = await chain.client.readContract({
    address: chain.paymentSettlement,
    abi: usdcGetter,
    functionName: 'usdc',
  })
  const holder = chain.operator.address
  const [balance, allowance] = await Promise.all([
    readUsdcBalance({ usdc: token, client: chain.client }, { wallet: holder }),
    chain.client.readContract({
      address: token,
      abi: erc20Abi,
      functionName: 'allowance',
      args: [holder, chain.paymentSettlement],
    }),
  ])
  if (balance < amount || allowance < amount)
    throw new Error(`The operator ${holder} has too little USDC on ${chain.blockchain} to settle payments.`)
}

const usdcGetter = parseAbi(['function usdc() view returns (address)'])

function messageOf(revert: ReturnType<typeof decodeRevert>): string {
  const { reason: bytes, target } = revert.error?.args ?? {}
  const inner =
    revert.error?.name === 'CallFailed' && typeof bytes === 'string' && bytes.startsWith('0x')
      ? `the call of ${String(target)} fails: ${decodeRevert(bytes as `0x${string}`).reason}` // the pattern starts with 0x
      : revert.reason
  return `The payment cannot be settled: ${inner.slice(0, 300)}.`
}
