import { useQueries } from '@tanstack/react-query'
import { formatUsd } from 'redeemkit'
import { useOpenRedeems } from 'redeemkit/react'
import { hrefOfOrder, orderQuery } from '../orders.ts'
import { hrefOf, type Route } from '../routes.ts'

/** What a reload or a lost answer has left open, above every page but its own. */
export function OpenPayments({ route }: { route: Route }) {
  const { data } = useOpenRedeems()
  const here = hrefOf(route)
  // A redeem whose permit was only requested cannot have paid anything.
  const begun = (data?.open ?? []).filter(({ state }) => state !== 'begun')
  const orders = useQueries({ queries: begun.map(({ options }) => orderQuery(options.purchaseId)) })
  const open = begun.flatMap(({ amount }, index) => {
    const order = orders[index]?.data
    const href = order && hrefOfOrder(order)
    return href === undefined || href === here ? [] : [{ href, amount: formatUsd(BigInt(amount)) }]
  })
  if (open.length === 0) return null
  return (
    <section className="banner" aria-label="Open payments">
      <ul className="inner">
        {open.map(({ href, amount }) => (
          <li key={href}>
            <strong>A payment of {amount} is open.</strong> You signed it, and it is not finished.{' '}
            <a href={href}>Go on with it</a>
          </li>
        ))}
      </ul>
    </section>
  )
}
