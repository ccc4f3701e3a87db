import { useMemo, useState } from 'react'
import { formatUsd } from 'redeemkit'
import { token } from 'redeemkit/evm'
import { useConnection } from 'wagmi'
import { type Bill, bills } from '../catalogue.ts'
import { useShop } from '../config.tsx'
import { PageTitle, UnknownPage } from '../Layout.tsx'
import { useBillOrder, useIsPaid } from '../orders.ts'
import { OrderNeeded } from '../payment/OrderNeeded.tsx'
import { OrderPayment } from '../payment/OrderPayment.tsx'
import { hrefOf } from '../routes.ts'

export function BillPage({ number, onConnect }: { number: string; onConnect: () => void }) {
  const bill = bills.find((one) => one.number === number)
  if (bill === undefined) return <UnknownPage />
  return <OneBill bill={bill} onConnect={onConnect} />
}

function OneBill({ bill, onConnect }: { bill: Bill; onConnect: () => void }) {
  const { number, title, note, cents } = bill
  const { keeper } = useShop()
  const { address } = useConnection()
  const [chosenUsdcCents, chooseUsdcCents] = useState(0)
  const ordered = useBillOrder(number, address)
  const isPaid = useIsPaid(ordered.data)
  const transactionData = useMemo(() => token({ destination: keeper }), [keeper])
  return (
    <>
      <a className="back" href={hrefOf({ page: 'bills' })}>
        All bills
      </a>
      <div className="columns">
        <div>
          <PageTitle title={title} />
          <p className="lead">{note}</p>
          <dl className="facts">
            <dt>Bill</dt>
            <dd>No. {number}</dd>
            <dt>Amount</dt>
            <dd>
              <span className="money">{formatUsd({ cents })}</span>{' '}
              {isPaid && <span className="tag tag-good">Paid</span>}
            </dd>
            <dt>Receiver</dt>
            <dd className="code">{keeper}</dd>
          </dl>
        </div>
        {ordered.data === undefined ? (
          <OrderNeeded
            title={`Bill ${number}`}
            cents={cents}
            usdcCents={chosenUsdcCents}
            onUsdcCents={chooseUsdcCents}
            isConnected={address !== undefined}
            error={ordered.error}
            onConnect={onConnect}
            onTryAgain={() => void ordered.refetch()}
          />
        ) : (
          <OrderPayment
            key={ordered.data.id}
            title={`Bill ${number}`}
            order={{ purchaseId: ordered.data.id, cents, transactionData }}
            chosenUsdcCents={chosenUsdcCents}
            paidTitle="Paid, thank you"
            actions={
              <a className="button" href={hrefOf({ page: 'bills' })}>
                All bills
              </a>
            }
            onConnect={onConnect}
          />
        )}
      </div>
    </>
  )
}

export function BillsPage() {
  return (
    <>
      <PageTitle title="Your bills" />
      <p className="lead">Light, frames and late books. Each bill is paid once, however often you click.</p>
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
  const isPaid = useIsPaid(order)
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
        aria-label={`${isPaid ? 'Receipt' : 'Pay'}: bill ${number}, ${title}`}
      >
        {isPaid ? 'Receipt' : 'Pay'}
      </a>
    </li>
  )
}
