import type { ReactNode } from 'react'

/** An order that is paid, and not by a payment of this wallet that this page knows: another wallet or another page paid for it. */
export function PaidElsewhere({ actions }: { actions: ReactNode }) {
  return (
    <section className="card receipt" role="status">
      <h2>This order is already paid</h2>
      <p>Lampfall has its payment, and nothing more is charged for it.</p>
      <div className="receipt-actions">{actions}</div>
    </section>
  )
}
