import { formatUsd } from 'redeemkit'
import { useConnection } from 'wagmi'
import { type Bill, bills } from '../catalogue/bills.ts'
import { PageTitle } from '../layout/PageTitle.tsx'
import { useBillOrder } from '../orders.ts'
import { hrefOf } from '../routes/route.ts'

/** What the shop has billed. */
export function BillsPage() {
  return (
    <>
      <PageTitle title="Your bills" />
      <p className="lead">Light, frames and late books. Each bill is paid once, however often you press.</p>
      <ul className="bill-list section">
        {bills.map((bill) => (
          <BillCard key={bill.number} bill={bill} />
        ))}
      </ul>
    </>
  )
}

function BillCard({ bill }: { bill: Bill }) {
  const { number, title, note, cents } = bill
  const { address } = useConnection()
  const { data: order } = useBillOrder(number, address)
  const isPaid = order?.state === 'paid' || order?.state === 'fulfilled'
  return (
    <li className="card bill">
      <h2>{title}</h2>
      <p className="quiet">
        {isPaid && <span className="tag tag-good">Paid</span>} No. {number} ·{' '}
        <span className="money">{formatUsd({ cents })}</span> · {note}
      </p>
      <a
        className="button button-plain"
        href={hrefOf({ page: 'bill', number })}
        aria-label={`Open bill ${number}, ${title}`}
      >
        Open
      </a>
    </li>
  )
}
