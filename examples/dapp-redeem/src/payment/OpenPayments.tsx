import { useQueries } from '@tanstack/react-query'
import { formatUsd } from 'redeemkit'
import { useOpenRedeems } from 'redeemkit/react'
import { hrefOfOrder, orderQuery } from '../orders.ts'
import { hrefOf, type Route } from '../routes.ts'

/** Lists payments that are still open after a reload or a lost response, except on their own page. */
export function OpenPayments({ route }: { route: Route }) {
  const { data } = useOpenRedeems()
  const here = hrefOf(route)
  // An unsigned payment cannot have been executed.
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
            <strong>A payment of {amount} is open.</strong> You signed it, but it is not confirmed yet.{' '}
            <a href={href}>Resume it</a>
          </li>
        ))}
      </ul>
    </section>
  )
}
