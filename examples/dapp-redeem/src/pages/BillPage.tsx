import { useMemo } from 'react'
import { formatUsd } from 'redeemkit'
import { token } from 'redeemkit/evm'
import { type Bill, bills } from '../catalogue/bills.ts'
import { useShop } from '../config/useShop.ts'
import { PageTitle } from '../layout/PageTitle.tsx'
import { OrderPayment } from '../payment/OrderPayment.tsx'
import { billPurchaseId } from '../payment/purchaseId.ts'
import { hrefOf } from '../routes/route.ts'
import { UnknownPage } from './UnknownPage.tsx'

/** A bill with its payment: USDC to the shop. */
export function BillPage({ number, onConnect }: { number: string; onConnect: () => void }) {
  const bill = bills.find((one) => one.number === number)
  if (bill === undefined) return <UnknownPage />
  return <OneBill bill={bill} onConnect={onConnect} />
}

function OneBill({ bill, onConnect }: { bill: Bill; onConnect: () => void }) {
  const { number, title, note, cents } = bill
  const { keeper } = useShop()
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
            <dd className="money">{formatUsd({ cents })}</dd>
            <dt>Paid to</dt>
            <dd className="code">{keeper}</dd>
          </dl>
        </div>
        <OrderPayment
          title={`Bill ${number}`}
          order={{ purchaseId: billPurchaseId(bill), cents, transactionData }}
          paidTitle="Paid, thank you"
          actions={
            <a className="button" href={hrefOf({ page: 'bills' })}>
              All bills
            </a>
          }
          onConnect={onConnect}
        />
      </div>
    </>
  )
}
