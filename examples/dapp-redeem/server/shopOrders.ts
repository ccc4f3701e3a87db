import type { PGlite } from '@electric-sql/pglite'
import { type Order, type OrderBook, openOrderBook } from '../../merchant-server/orderBook.ts'
import { allSpecies, bills, creditPacks } from '../src/catalogue.ts'
import type { ShopConfig } from '../src/config.tsx'
import type { ShopOrder } from '../src/orders.ts'

/** Opens the shop's orders, in the order book of `examples/merchant-server`. */
export function openShopOrders(
  { merchantId, chainId, pinned }: ShopConfig,
  database: PGlite,
): Promise<OrderBook> {
  const { creditsContract, creditSeed } = pinned
  return openOrderBook({
    database,
    merchantId,
    accepted: [{ chainId, creditsContract, creditSeed }],
    refundFrom: 1_000_000n,
  })
}

/**
 * `POST /orders` creates an order at the catalogue's price for `{ bill, wallet }`, `{ moth }` or, for members, `{ pack }`. `GET
 * /orders/{id}` returns one.
 */
export function answerOrders(options: {
  config: Pick<ShopConfig, 'keeper' | 'cabinet'>
  orders: OrderBook
  memberOf: (request: Request) => { wallet: string } | undefined
}): (request: Request) => Promise<Response> {
  const { config, orders, memberOf } = options

  async function draw(asked: { [name: string]: unknown }, member: string | undefined) {
    const bill = bills.find(({ number }) => number === asked.bill)
    if (bill !== undefined && typeof asked.wallet === 'string' && /^0x[0-9a-f]{40}$/i.test(asked.wallet)) {
      const wallet = asked.wallet.toLowerCase()
      const item = `bill ${bill.number}`
      return orders.draw({
        userId: wallet,
        item,
        amount: rawUnits(bill.cents),
        redeem: { kind: 'token', receiver: config.keeper },
        // The order's name gives a wallet one order per bill on all devices. It includes the month, because bill numbers repeat each year.
        name: `${item} ${bill.month} ${wallet}`,
        wallet,
      })
    }
    const species = allSpecies.find(({ slug }) => slug === asked.moth)
    if (species !== undefined)
      return orders.draw({
        userId: 'visitor',
        item: `moth ${species.slug}`,
        amount: rawUnits(species.cents),
        redeem: { kind: 'safeMint', receiver: config.cabinet },
      })
    const pack = creditPacks.find(({ id }) => id === asked.pack)
    if (pack !== undefined && member !== undefined)
      return orders.draw({
        userId: member,
        item: `credits ${pack.id}`,
        amount: rawUnits(pack.cents),
        settlementType: 'Credits',
      })
    return undefined
  }

  return async (request) => {
    const { pathname } = new URL(request.url)
    if (request.method === 'GET') {
      const order = await orders.find(pathname.slice('/orders/'.length))
      return order === undefined ? notFound() : Response.json(shown(order), noStore)
    }
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'GET, POST' } })
    const order = await draw(
      Object(await request.json().catch(() => undefined)),
      memberOf(request)?.wallet.toLowerCase(),
    )
    return order === undefined ? notFound() : Response.json(shown(order), { ...noStore, status: 201 })
  }
}

const rawUnits = (cents: number) => BigInt(cents) * 10_000n
const noStore = { headers: { 'cache-control': 'no-store' } }
const notFound = () => Response.json({ message: 'There is no such order.' }, { status: 404 })

/** Anyone may read an order by its id, so the response does not contain the customer. */
const shown = ({ id, item, state }: Order): ShopOrder => ({ id, item, state })
