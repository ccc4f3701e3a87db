import { sql } from 'drizzle-orm'
import { keccak256, stringToHex } from 'viem'
import { settlementKindOf } from '../../../redeemkit/evm/transactionData/settlementOf.ts'
import type { RedeemEventData } from '../../../redeemkit/schema/webhookEvent.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import type { DatabaseWork } from '../../store/database.ts'
import { emitEvents } from '../../store/emitEvent.ts'
import { rowsFrom, statement, toRows } from '../../store/statement.ts'
import { merchants, orderClaims, redeemedEvents, redeems } from '../../store/tables/index.ts'
import { customerEntries, entryKey, orderOf, writeRedeems } from './claimOrders.ts'
import type { RedeemedEvent } from './readRedeemed.ts'

/** Closes the claims of the orders, completes the redeems, and emits `redeem.redeemed`. Recording an event again changes nothing. */
export async function recordRedeemed(
  work: DatabaseWork,
  options: { chain: EvmChain; events: readonly RedeemedEvent[]; at: Date },
): Promise<void> {
  for (let at = 0; at < options.events.length; at += mostAtOnce)
    await recordSome(work, { ...options, events: options.events.slice(at, at + mostAtOnce) })
}

/** Maximum number of events per statement, to stay far below the limit of parameters. */
const mostAtOnce = 500

type MerchantEvent = RedeemedEvent & { merchantId: string; creditSeed: string }

async function recordSome(
  work: DatabaseWork,
  options: { chain: EvmChain; events: readonly RedeemedEvent[]; at: Date },
): Promise<void> {
  const { chain, at } = options
  const { blockchain } = chain
  const events = await ofMerchants(work, options.events)
  if (events.length === 0) return
  const rows = events.map((event) => ({ ...event, blockchain, createdAt: at }))
  const added = await insertEvents(work, { rows: toRows(redeemedEvents, rows) })
  const isNew = new Set(added.map(({ hash, logIndex }) => `${hash}/${logIndex}`))
  const fresh = events.filter(({ hash, logIndex }) => isNew.has(`${hash}/${logIndex}`))
  if (fresh.length === 0) return
  await closeClaims(work, { chain, events: fresh, at })
  await completeRedeems(work, { chain, events: fresh, at })
  const entries = await customerEntries(
    work,
    fresh.map((event) => ({ ...event, blockchain })),
  )
  await emitEvents(
    work,
    fresh.map((event) => {
      const { merchantId } = event
      const data = { ...dataOf(chain, event), ...entries.get(entryKey({ ...event, blockchain })) }
      return { merchantId, type: 'redeem.redeemed', data, at }
    }),
  )
}

const insertEvents = statement((database) =>
  database
    .insert(redeemedEvents)
    .select(rowsFrom(redeemedEvents))
    .onConflictDoNothing()
    .returning({ hash: redeemedEvents.hash, logIndex: redeemedEvents.logIndex }),
)

async function ofMerchants(work: DatabaseWork, events: readonly RedeemedEvent[]): Promise<MerchantEvent[]> {
  const rows = await work
    .select({ merchantId: merchants.merchantId, creditSeed: merchants.creditSeed })
    .from(merchants)
  const bySeed = new Map(rows.map((row) => [keccak256(stringToHex(row.creditSeed)), row]))
  return events.flatMap((event) => {
    const merchant = bySeed.get(event.creditSeedHash)
    return merchant === undefined ? [] : [{ ...event, ...merchant }]
  })
}

async function closeClaims(
  work: DatabaseWork,
  { chain, events, at }: { chain: EvmChain; events: readonly MerchantEvent[]; at: Date },
): Promise<void> {
  const { blockchain } = chain
  const claims = new Map(
    events.map(({ merchantId, wallet, orderKey, nonce, hash }) => {
      const claim = { merchantId, wallet, orderKey, blockchain, nonce, redeemedIn: hash }
      return [orderOf(claim), { ...claim, validBefore: 0n, createdAt: at, updatedAt: at }]
    }),
  )
  // Sorted as in `claimOrders`, to prevent deadlocks.
  const rows = [...claims.values()].sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))
  await insertClosed(work, { rows: toRows(orderClaims, rows) })
}

const insertClosed = statement((database) =>
  database
    .insert(orderClaims)
    .select(rowsFrom(orderClaims))
    .onConflictDoUpdate({
      target: [orderClaims.merchantId, orderClaims.wallet, orderClaims.orderKey],
      set: {
        blockchain: sql`excluded.blockchain`,
        nonce: sql`excluded.nonce`,
        redeemedIn: sql`excluded.redeemed_in`,
        updatedAt: sql`excluded.updated_at`,
      },
    }),
)

/** Completes redeems. A redeem that a third party relayed gets a row as if this service had sent it, with attempt 0. */
async function completeRedeems(
  work: DatabaseWork,
  { chain, events, at }: { chain: EvmChain; events: readonly MerchantEvent[]; at: Date },
): Promise<void> {
  const rows = events.flatMap((event) => {
    const { wallet, nonce, merchantId, amount, usdcAmount, gasFee, hash } = event
    const shape = settlementKindOf(event.kind)
    return shape === undefined ? [] : [{ wallet, nonce, merchantId, shape, amount, usdcAmount, gasFee, hash }]
  })
  const byNonce = new Map(rows.map((row) => [`${row.wallet}/${row.nonce}`, row]))
  if (byNonce.size === 0) return
  const { blockchain } = chain
  const sorted = [...byNonce]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, row]) => ({
      ...row,
      blockchain,
      status: 'redeemed' as const, // keeps the literal type
      attempt: 0,
      createdAt: at,
      updatedAt: at,
    }))
  await insertCompleted(work, { rows: toRows(redeems, sorted) })
}

/** Skips redeems that the relayer sent and completes itself, and other merchants' rows: a nonce does not commit to a seed. */
const insertCompleted = writeRedeems(
  sql`${redeems.merchantId} = excluded.merchant_id and ${redeems.hash} <> excluded.hash and ${redeems.status} <> 'redeemed'`,
)

function dataOf({ blockchain, chainId, creditsContract }: EvmChain, event: MerchantEvent): RedeemEventData {
  const { merchantId, wallet, creditSeed, nonce, orderKey, receiver, hash, logIndex } = event
  const kind = settlementKindOf(event.kind)
  return {
    merchantId,
    wallet,
    blockchain,
    chainId,
    creditsContract,
    creditSeed,
    nonce,
    orderKey,
    ...(kind !== undefined && { kind }),
    receiver,
    amount: event.amount.toString(),
    usdcAmount: event.usdcAmount.toString(),
    charged: event.charged.toString(),
    refunded: event.refunded.toString(),
    gasFee: event.gasFee.toString(),
    hash,
    blockNumber: Number(event.blockNumber),
    logIndex,
  }
}
