import { randomBytes } from 'node:crypto'
import type { PGlite, Transaction } from '@electric-sql/pglite'
import { orderKey } from 'redeemkit/merchant'
import type { Blockchain, Payment, RedeemEventData } from 'redeemkit/schema'

export type Order = {
  /** 128 random bits. The `purchaseId` of a redeem, and the `orderId` in the `webhookInfo` of a checkout. */
  id: string
  userId: string
  item: string
  /** Raw units of USDC: 1 cent is 10_000n. */
  amount: bigint
  /** The action that a redeem of the order executes, and the address that it pays. Absent: redeems cannot pay for the order. */
  redeem?: { kind: string; receiver: string } | undefined
  /** The settlement type of a checkout for the order. Absent: checkouts cannot pay for it. */
  settlementType?: 'USDC' | 'Credits' | undefined
  /** `closed`: the order can no longer be paid. A new order replaces it. */
  state: 'open' | 'paid' | 'fulfilled' | 'closed'
}

/** Money that arrived for an order but does not pay for it, and is refunded. */
export type Refund = {
  /** Identifies the refund attempt. Use it as idempotency key, because the call is repeated after a crash. */
  id: string
  amount: bigint
} & ({ paymentId: string } | { wallet: string; blockchain: Blockchain })

/** Pinned values of a chain on which the shop is paid. */
export type AcceptedChain = { chainId: number; creditsContract: string; creditSeed: string }

/** Result of a webhook. `ignored`: the event does not report money for one of the shop's orders. */
export type Received = 'paid' | 'duplicate' | 'refused' | 'known' | 'ignored'

export type OrderBook = Awaited<ReturnType<typeof openOrderBook>>

/**
 * Opens the shop's orders in a PostgreSQL database (PGlite, inside this process). Each order is paid by one redeem or payment and
 * fulfilled once, regardless of the order of webhooks and of crashes.
 *
 * @param options.accepted chains on which the shop is paid
 * @param options.refundFrom smallest refund in raw units; less is not worth the gas
 */
export async function openOrderBook(options: {
  database: PGlite
  merchantId: string
  accepted: readonly AcceptedChain[]
  refundFrom: bigint
}) {
  const { database, merchantId, accepted, refundFrom } = options
  await database.exec(tables)
  let working: Promise<unknown> = Promise.resolve()

  // #region draw
  /**
   * Creates an order. A random id is drawn here, so a page cannot choose it.
   *
   * @param wanted.name identifies a purchase that is made once, such as a bill: the same name returns the same order
   * @param wanted.wallet wallet that should pay. If it uses the order for a different payment, the order is closed
   */
  async function draw(wanted: {
    userId: string
    item: string
    amount: bigint
    redeem?: Order['redeem']
    settlementType?: Order['settlementType']
    name?: string
    wallet?: string
  }): Promise<Order> {
    const { userId, item, amount, redeem, settlementType, name, wallet } = wanted
    const id = randomBytes(16).toString('hex')
    const { rows } = await database.query<OrderRow>(
      `insert into orders (id, order_key, user_id, item, amount, kind, receiver, settlement_type, name, wallet)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       on conflict (name) do update set name = excluded.name returning *`,
      [
        id,
        orderKey({ merchantId, purchaseId: id }),
        userId,
        item,
        `${amount}`,
        redeem?.kind,
        redeem?.receiver.toLowerCase(),
        settlementType,
        name,
        wallet?.toLowerCase(),
      ],
    )
    return readOrder(rows[0])
  }
  // #endregion

  // #region receive
  /** Records a redeem whose log is on chain. `purchaseId` and `webhookInfo` come from the customer, so they are ignored. */
  async function redeemed(data: RedeemEventData): Promise<Received> {
    const { chainId, hash, logIndex, kind, receiver, amount, refunded, wallet, blockchain } = data
    const isAccepted = accepted.some(
      (chain) =>
        chain.chainId === chainId &&
        isSame(chain.creditsContract, data.creditsContract) &&
        chain.creditSeed === data.creditSeed,
    )
    // Events of services with random nonces lack these fields.
    if (!isAccepted || data.orderKey === undefined || amount === undefined || refunded === undefined)
      return 'ignored'
    return receive({
      id: `${chainId} ${hash} ${logIndex}`,
      find: { column: 'order_key', value: data.orderKey.toLowerCase() },
      // The shop cannot refund money that it did not receive.
      isShops: (order) => order.redeem !== undefined && isSame(order.redeem.receiver, receiver),
      amount: BigInt(amount) - BigInt(refunded),
      fits: (order) => order.redeem?.kind === kind,
      // A called contract has already delivered.
      isRefundable: kind === 'token',
      wallet,
      blockchain,
    })
  }

  /** Records a card, wire or Pix payment. Its checkout JWT pinned order, price and settlement. */
  async function settled(data: Payment): Promise<Received> {
    const { paymentId, subtotal, settlementType, webhookInfo } = data
    const orderId = webhookInfo?.orderId
    // Subscription payments are not orders, and their `webhookInfo` comes from the page.
    if (typeof orderId !== 'string' || data.subscriptionId !== undefined) return 'ignored'
    if (settlementType === undefined || subtotal?.currency !== 'USD') return 'ignored'
    return receive({
      id: `payment ${paymentId}`,
      find: { column: 'id', value: orderId },
      isShops: (order) => order.settlementType === settlementType,
      amount: BigInt(subtotal.cents) * 10_000n,
      fits: () => true,
      isRefundable: settlementType === 'USDC',
      paymentId,
    })
  }

  /** Records received money and its effect, in one transaction. */
  function receive(money: Money): Promise<Received> {
    return database.transaction(async (work) => {
      const order = await findOrder(work, money.find)
      if (order === undefined || !money.isShops(order)) return 'ignored'
      const isPrice = money.amount === order.amount && money.fits(order)
      const outcome = !isPrice ? 'refused' : order.state === 'open' ? 'paid' : 'duplicate'
      const isRefunded = outcome !== 'paid' && money.isRefundable && money.amount >= refundFrom
      const { rows } = await work.query(
        `insert into receipts (id, order_id, outcome, amount, refund, payment_id, wallet, blockchain)
         values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (id) do nothing returning id`,
        [
          money.id,
          order.id,
          outcome,
          `${money.amount}`,
          isRefunded ? 'due' : 'none',
          money.paymentId,
          money.wallet,
          money.blockchain,
        ],
      )
      if (rows.length === 0) return 'known'
      if (outcome === 'paid')
        await work.query('update orders set paid_by = $2 where id = $1', [order.id, money.id])
      // The wallet cannot pay the same order twice, so the customer needs another order.
      else if (outcome === 'refused')
        await work.query(
          'update orders set closed = true, name = null where id = $1 and paid_by is null and wallet = $2',
          [order.id, money.wallet?.toLowerCase()],
        )
      return outcome
    })
  }
  // #endregion

  /**
   * Fulfils paid orders and makes due refunds, including those that an earlier process left undone.
   *
   * @param how functions that may be called again for the same order or refund after a crash. The ids are idempotency keys
   */
  function work(how: Work): Promise<void> {
    const done = working.then(() => workNow(how))
    // Calls run one after another, even after a failure.
    working = done.catch(() => {})
    return done
  }

  // #region work
  async function workNow(how: Work): Promise<void> {
    const paid = await database.query<OrderRow>(
      'select * from orders where paid_by is not null and not fulfilled order by drawn_at',
    )
    const due = await database.query<ReceiptRow>(`select * from receipts where refund = 'due'`)
    const results = await Promise.allSettled([
      ...paid.rows.map(async (row) => {
        await how.fulfil(readOrder(row))
        await database.query('update orders set fulfilled = true where id = $1', [row.id])
      }),
      ...due.rows.map(async (row) => {
        const outcome = await how.refund(readRefund(row))
        if (outcome === 'done')
          await database.query(`update receipts set refund = 'done' where id = $1`, [row.id])
        // The next attempt needs a new key. With this one, the service repeats the failure.
        if (outcome === 'failed')
          await database.query('update receipts set attempt = attempt + 1 where id = $1', [row.id])
      }),
    ])
    // A failure does not block the others.
    for (const result of results) if (result.status === 'rejected') throw result.reason
  }
  // #endregion

  return {
    draw,
    redeemed,
    settled,
    work,
    find: (id: string) => findOrder(database, { column: 'id', value: id }),
    of: async (userId: string) =>
      (
        await database.query<OrderRow>('select * from orders where user_id = $1 order by drawn_at', [userId])
      ).rows.map(readOrder),
    close: () => database.close(),
  }
}

type Work = {
  fulfil: (order: Order) => Promise<void>
  /** `failed`: the money did not move. `pending`: the function is called again with the same id. */
  refund: (refund: Refund) => Promise<'done' | 'pending' | 'failed'>
}

const tables = `
  create table if not exists orders (
    id text primary key,
    order_key text not null unique,
    user_id text not null,
    item text not null,
    amount numeric not null,
    kind text,
    receiver text,
    settlement_type text,
    name text unique,
    wallet text,
    drawn_at timestamptz not null default now(),
    paid_by text unique,
    fulfilled boolean not null default false,
    closed boolean not null default false
  );
  create table if not exists receipts (
    id text primary key,
    order_id text not null references orders,
    outcome text not null,
    amount numeric not null,
    refund text not null,
    attempt integer not null default 1,
    payment_id text,
    wallet text,
    blockchain text
  )`

/** Received money: a redeem on chain, or a payment. */
type Money = {
  id: string
  find: { column: 'id' | 'order_key'; value: string }
  /** Whether the shop received the money. */
  isShops: (order: Order) => boolean
  amount: bigint
  /** Whether the money pays for the order if the amount matches. */
  fits: (order: Order) => boolean
  isRefundable: boolean
  paymentId?: string
  wallet?: string
  blockchain?: Blockchain
}

type OrderRow = {
  id: string
  user_id: string
  item: string
  amount: string
  kind: string | null
  receiver: string | null
  settlement_type: Order['settlementType'] | null
  paid_by: string | null
  fulfilled: boolean
  closed: boolean
}

type ReceiptRow = {
  id: string
  attempt: number
  amount: string
  payment_id: string | null
  wallet: string | null
  blockchain: Blockchain | null
}

async function findOrder(
  database: Pick<Transaction, 'query'>,
  { column, value }: Money['find'],
): Promise<Order | undefined> {
  const { rows } = await database.query<OrderRow>(`select * from orders where ${column} = $1 for update`, [
    value,
  ])
  return rows[0] && readOrder(rows[0])
}

function readOrder(row: OrderRow | undefined): Order {
  if (row === undefined) throw new Error('The database returned no order.')
  const { id, item, kind, receiver } = row
  return {
    id,
    userId: row.user_id,
    item,
    amount: BigInt(row.amount),
    redeem: kind === null || receiver === null ? undefined : { kind, receiver },
    settlementType: row.settlement_type ?? undefined,
    state: row.fulfilled ? 'fulfilled' : row.paid_by !== null ? 'paid' : row.closed ? 'closed' : 'open',
  }
}

function readRefund(row: ReceiptRow): Refund {
  const { attempt, amount, payment_id: paymentId, wallet, blockchain } = row
  const id = attempt === 1 ? row.id : `${row.id} ${attempt}`
  const money = { id, amount: BigInt(amount) }
  if (paymentId !== null) return { ...money, paymentId }
  if (wallet === null || blockchain === null)
    throw new Error(`The receipt ${id} has no wallet or blockchain.`)
  return { ...money, wallet, blockchain }
}

const isSame = (address: string, other = '') => address.toLowerCase() === other.toLowerCase()
