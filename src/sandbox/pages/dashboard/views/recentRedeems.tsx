/** @jsxImportSource hono/jsx */
import { creditsAuthMsg, sendGaslessTx } from '../../../../redeemkit/schema/endpoints/routes.ts'
import type { RequestLogEntry } from '../../../requestLog.ts'
import { Account, Rows, State, Time, Usdc } from '../parts.tsx'
import { CalledFunction, type ListedRedeem, ReportLink } from './redeems.tsx'
import type { ViewContext } from './view.ts'

/** The newest redeems, and the requests for one that were refused. */
export async function drawRecentRedeems(context: ViewContext) {
  const { ask, accounts, merchantId } = context
  const [{ redeems }, { requests }] = await Promise.all([
    ask<{ redeems: ListedRedeem[] }>(`/sandbox/redeems?limit=${count}`),
    ask<{ requests: RequestLogEntry[] }>('/sandbox/log?limit=1000'),
  ])
  const made = redeems.map((redeem) => ({
    at: redeem.createdAt,
    cells: [
      <Time of={redeem.createdAt} />,
      <Account of={redeem.wallet} accounts={accounts} />,
      <>
        {redeem.shape} {redeem.target !== undefined && (redeem.selector === undefined ? 'to ' : 'calls ')}
        <CalledFunction redeem={redeem} accounts={accounts} />
      </>,
      <Usdc of={redeem.amount} />,
      <State of={redeem.status} />,
      <ReportLink redeem={redeem} merchantId={merchantId} />,
    ],
  }))
  const refused = requests
    .filter(({ route, status, ...request }) => {
      // A request that was refused before its merchant was known has none.
      const isOwn = request.merchantId === undefined || request.merchantId === merchantId
      return isOwn && status >= 400 && route !== null && route in steps
    })
    .slice(0, count)
    .map(({ time, route, status, code }) => ({
      at: time,
      cells: [
        <Time of={time} />,
        '',
        steps[route ?? ''],
        '',
        <State of="refused" />,
        `${code ?? ''} ${status}`,
      ],
    }))
  const rows = [...made, ...refused].sort((one, other) => other.at.localeCompare(one.at)).slice(0, count)
  return (
    <>
      <Rows
        caption="Newest first, with refused requests"
        columns={['When', 'Customer', 'Redeem', { name: 'Amount', is: 'right' }, 'State', 'Details']}
        empty={
          <>
            There are no redeems yet. <code>npx redeemkit redeem --type token --to bob --amount 10.00</code>{' '}
            makes one.
          </>
        }
        rows={rows.map(({ cells }) => cells)}
      />
      {redeems.length === count && (
        <p>
          <a href={`/dashboard/redeems?merchant=${encodeURIComponent(merchantId)}`}>All redeems</a>
        </p>
      )}
    </>
  )
}

const count = 10

/** Calls of a redeem, by their route in the log. */
const steps: Readonly<Record<string, string>> = {
  [creditsAuthMsg.path]: 'not prepared',
  [sendGaslessTx.path]: 'not submitted',
}
