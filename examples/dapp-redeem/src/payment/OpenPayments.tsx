import { formatUsd } from 'redeemkit'
import { useOpenRedeems } from 'redeemkit/react'
import { hrefOf, type Route } from '../routes/route.ts'
import { hrefOfPurchase } from './purchaseId.ts'

/** What a reload or a lost answer has left open, above every page but its own. */
export function OpenPayments({ route }: { route: Route }) {
  const { data } = useOpenRedeems()
  const here = hrefOf(route)
  const open = (data?.open ?? []).flatMap(({ state, options, amount }) => {
    const href = hrefOfPurchase(options.purchaseId)
    // Of what the wallet was merely asked for, nothing can have been paid.
    if (state === 'begun' || href === undefined || href === here) return []
    return [{ href, amount: formatUsd(BigInt(amount)) }]
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
