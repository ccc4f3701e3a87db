import { formatUsd } from 'redeemkit'
import { bills } from '../catalogue/bills.ts'
import { PageTitle } from '../layout/PageTitle.tsx'
import { hrefOf } from '../routes/route.ts'

/** What the shop has billed. */
export function BillsPage() {
  return (
    <>
      <PageTitle title="Your bills" />
      <p className="lead">Light, frames and late books. Each bill is paid once, however often you press.</p>
      <ul className="bill-list section">
        {bills.map(({ number, title, note, cents }) => (
          <li key={number} className="card bill">
            <h2>{title}</h2>
            <p className="quiet">
              No. {number} · <span className="money">{formatUsd({ cents })}</span> · {note}
            </p>
            <a
              className="button button-plain"
              href={hrefOf({ page: 'bill', number })}
              aria-label={`Open bill ${number}, ${title}`}
            >
              Open
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
