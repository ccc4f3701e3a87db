import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import { orderKeyOf } from '../../../redeemkit/evm/creditPermit/orderKey.ts'
import { isTempoChain } from '../../../redeemkit/evm/networks.ts'
import { settlementShapes } from '../../../redeemkit/evm/transactionData/settlementOf.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { grouped } from '../../concurrency.ts'
import { redeemBatchCall } from '../../contracts/creditsCalls.ts'
import type { Relayer } from '../../relayer/createRelayer.ts'
import { redeemGasLimit } from '../../relayer/relayerChain.ts'
import type { ServiceKind } from '../../serviceKind.ts'
import { redeemCall } from '../../simulation/redeemRequest.ts'
import type { Database, DatabaseWork } from '../../store/database.ts'
import { toRows } from '../../store/statement.ts'
import { intents, redeems, walletTurns } from '../../store/tables/index.ts'
import { claimOrders, type OrderAttempt, orderOf, writeRedeems } from '../orders/claimOrders.ts'
import type { ReadyRedeem, RedeemQueue } from '../service.ts'
import { intentIs } from './lookUpRedeem.ts'

/**
 * Journals redeems and their transaction in one database transaction, then broadcasts it. Redeems that arrive while another is being
 * written are sent together, as a batch if the contract supports it. The row's primary key prevents a redeem from being sent twice, even
 * by another process.
 */
export function createRedeemQueue(options: createRedeemQueue.Options): RedeemQueue {
  const { kind } = options
  const queues = new Map<number, (ready: ReadyRedeem) => Promise<Outcome>>()
  return {
    send: async (ready) => {
      const { chainId } = ready.redeem.chain
      const queue =
        queues.get(chainId) ?? grouped((some) => sendAll(options, some, kind), { most: mostInBatch })
      queues.set(chainId, queue)
      const outcome = await queue(ready)
      if ('error' in outcome) throw outcome.error
      return outcome.hash
    },
  }
}

export declare namespace createRedeemQueue {
  type Options = {
    database: () => Promise<Database>
    relayer: Pick<Relayer, 'send'>
    now: () => number
    kind: ServiceKind
    /** Whether other processes may send redeems of the same wallets. */
    isShared: () => Promise<boolean>
  }
}

type Outcome = { hash: Hex } | { error: unknown }

/** Maximum number of items in a batch, and maximum gas per item. A full batch stays far below any block's gas limit. */
const mostInBatch = 16
const mostGasInBatch = 600_000n
/** Maximum call data per item, so that a full batch stays below `mostTransactionBytes`. */
const mostBytesInBatch = 5_000

async function sendAll(
  options: createRedeemQueue.Options,
  some: readonly ReadyRedeem[],
  kind: ServiceKind,
): Promise<Outcome[]> {
  const fitting = oneOfEachOrder(some.filter((ready) => fitsInBatch(ready, kind)))
  const batch = fitting.length > 1 ? fitting : []
  const singles = some.filter((ready) => !batch.includes(ready)).map((ready) => [ready])
  const outcomes = new Map<ReadyRedeem, Outcome>()
  const groups = batch.length > 0 ? [batch, ...singles] : singles
  for (const group of groups)
    try {
      const hash = await sendTogether(options, group)
      for (const ready of group) outcomes.set(ready, { hash })
    } catch (error) {
      const outdated = error instanceof ChecksOutdated ? error.outdated : group
      for (const ready of outdated) outcomes.set(ready, { error })
      // The other redeems of the group are still valid.
      if (outdated.length < group.length) groups.push(group.filter((ready) => !outdated.includes(ready)))
    }
  return some.map((ready) => outcomes.get(ready) ?? { error: new Error('The redeem was not sent.') })
}

/** Returns one attempt per order for a batch. A second attempt is rejected when it claims the order. */
function oneOfEachOrder(some: readonly ReadyRedeem[]): ReadyRedeem[] {
  const byOrder = new Map<string, ReadyRedeem>()
  for (const ready of some) {
    const order = orderOf(attemptOf(ready))
    if (!byOrder.has(order)) byOrder.set(order, ready)
  }
  return [...byOrder.values()]
}

function attemptOf({ redeem, merchantId, request, ended }: ReadyRedeem): OrderAttempt {
  const { chain, wallet, nonce } = redeem
  const { blockchain } = chain
  const { validBefore } = request.permit
  return { merchantId, wallet, orderKey: orderKeyOf(nonce), blockchain, nonce, validBefore, ended }
}

/**
 * The bridge adapter's events are trusted, so no other call may run in a decent redeem's transaction. Contracts with random nonces have
 * no batch.
 */
function fitsInBatch({ redeem, request, gas }: ReadyRedeem, kind: ServiceKind): boolean {
  const { chain, intent } = redeem
  return (
    kind === 'intentBound' &&
    settlementShapes[intent.shape].does !== 'bridge' &&
    !isTempoChain(chain.chainId) &&
    redeemGasLimit(gas) <= mostGasInBatch &&
    redeemCall(chain, request).data.length <= 2 + 2 * mostBytesInBatch
  )
}

async function sendTogether(options: createRedeemQueue.Options, group: readonly ReadyRedeem[]): Promise<Hex> {
  const [first] = group
  if (first === undefined) throw new Error('There is no redeem to send.')
  const { chain } = first.redeem
  let isClaimed = false
  const { hash } = await options.relayer.send({
    chainId: chain.chainId,
    account: roundRobin(chain.relayers),
    ...transactionOf(chain, group),
    price: group.map(({ price }) => price).reduce((most, one) => (one.maximum > most.maximum ? one : most)),
    also: async (work, row) => {
      await claim(work, { ...options, group, hash: row.hash })
      isClaimed = true
    },
  })
  // The journal already has this attempt. Another process sent it or, with a random nonce, a different redeem.
  if (!isClaimed) throw new ChecksOutdated(group)
  return hash
}

/** Rotates the accounts at each call, because the relayer uses the first free one. */
function roundRobin(accounts: EvmChain['relayers']): EvmChain['relayers'] {
  turn = (turn + 1) % accounts.length
  return [...accounts.slice(turn), ...accounts.slice(0, turn)]
}

let turn = 0

function transactionOf(
  chain: EvmChain,
  group: readonly ReadyRedeem[],
): Pick<Relayer.Request, 'reference' | 'request'> {
  const [first, ...others] = group
  const { blockchain } = chain
  if (first !== undefined && others.length === 0) {
    const { redeem, attempt, request, gas } = first
    const { wallet, nonce } = redeem
    return {
      reference: { kind: 'redeem', blockchain, wallet, nonce, attempt },
      request: { ...redeemCall(chain, request), gas: redeemGasLimit(gas) },
    }
  }
  const items = group.map(({ request, gas }) => ({ request, gas: redeemGasLimit(gas) }))
  const call = redeemBatchCall(chain, items)
  const bytes = BigInt((call.data.length - 2) / 2)
  const ofItems = items.reduce((sum, { gas }) => sum + gas, 0n)
  // Covers the gas that a batch reserves: a 64th, plus an amount for each item (PROTOCOL.md 6.5).
  const gas = 100_000n + bytes * gasPerByte + (ofItems * 66n) / 64n + BigInt(items.length) * 30_000n
  return { reference: { kind: 'batch', blockchain, id: randomUUID() }, request: { ...call, gas } }
}

/** Gas floor of EIP-7623 per byte of call data. */
const gasPerByte = 40n

/** Marks the redeems as pending. Because of their primary key, only one process can do so. */
async function claim(
  work: DatabaseWork,
  options: createRedeemQueue.Options & { group: readonly ReadyRedeem[]; hash: Hex },
): Promise<void> {
  const { group, hash, kind, now } = options
  if (await options.isShared()) await incrementTurns(work, group)
  const at = new Date(now())
  if (kind === 'intentBound') await claimAll(work, { group, at })
  const rows = group.map(({ redeem: { chain, wallet, nonce, intent }, merchantId, gasFee, attempt }) => ({
    blockchain: chain.blockchain,
    wallet,
    nonce,
    merchantId,
    shape: intent.shape,
    amount: intent.amount,
    usdcAmount: intent.usdcAmount,
    gasFee,
    status: 'sending' as const, // keeps the literal type
    attempt,
    hash,
    createdAt: at,
    updatedAt: at,
  }))
  const claimed = await insertRedeems(work, { rows: toRows(redeems, rows) })
  const taken = group.filter(({ redeem }) =>
    claimed.every(({ wallet, nonce }) => wallet !== redeem.wallet || nonce !== redeem.nonce),
  )
  if (taken.length > 0) throw new ChecksOutdated(taken)
  if (kind === 'intentBound') return
  // From now on, a random nonce belongs to this redeem: a repeat returns its hash, and a different redeem is rejected.
  for (const { redeem, merchantId } of group) {
    const { settlementHash, amount, usdcAmount } = redeem.intent
    await work.update(intents).set({ merchantId, settlementHash, amount, usdcAmount }).where(intentIs(redeem))
  }
}

/** An existing redeem is sent again only after a revert. */
const insertRedeems = writeRedeems(sql`${redeems.status} = 'reverted'`)

/** The rows stay locked until the database transaction ends. */
async function incrementTurns(work: DatabaseWork, group: readonly ReadyRedeem[]): Promise<void> {
  const taken = await work
    .insert(walletTurns)
    .values(
      // Sorted, to prevent deadlocks between processes.
      group
        .map(({ redeem: { chain, wallet }, turn }) => ({
          blockchain: chain.blockchain,
          wallet,
          turn: turn + 1,
        }))
        .sort((one, other) => (one.wallet < other.wallet ? -1 : 1)),
    )
    .onConflictDoUpdate({
      target: [walletTurns.blockchain, walletTurns.wallet],
      set: { turn: sql`excluded.turn` },
      setWhere: sql`${walletTurns.turn} = excluded.turn - 1`,
    })
    .returning({ wallet: walletTurns.wallet })
  const moved = group.filter(({ redeem }) => taken.every(({ wallet }) => wallet !== redeem.wallet))
  if (moved.length > 0) throw new ChecksOutdated(moved)
}

async function claimAll(
  work: DatabaseWork,
  { group, at }: { group: readonly ReadyRedeem[]; at: Date },
): Promise<void> {
  const late = new Set((await claimOrders(work, { attempts: group.map(attemptOf), at })).map(orderOf))
  if (late.size > 0) throw new ChecksOutdated(group.filter((ready) => late.has(orderOf(attemptOf(ready)))))
}

/**
 * Rolls back the journal's row: another process sent a redeem of one of these wallets, or another attempt claimed one of these orders.
 */
export class ChecksOutdated extends Error {
  readonly outdated: readonly ReadyRedeem[]

  constructor(outdated: readonly ReadyRedeem[]) {
    super('The state that these redeems were checked against has changed.')
    this.outdated = outdated
  }
}
