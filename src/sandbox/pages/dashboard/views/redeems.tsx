/** @jsxImportSource hono/jsx */
import { Account, Id, Panel, Rows, State, Time, Usdc } from '../parts.tsx'
import type { View, ViewContext } from './view.ts'

/** A row of `GET /sandbox/redeems` (PROTOCOL.md 2.10). */
export type ListedRedeem = {
  blockchain: string
  wallet: string
  nonce: string
  shape: string
  target?: string
  selector?: string
  status: string
  amount: string
  usdcAmount: string
  gasFee: string
  createdAt: string
}

export const redeems: View = {
  path: 'redeems',
  name: 'Redeems',
  draw: async ({ ask, accounts, merchantId }) => {
    const { redeems: found } = await ask<{ redeems: ListedRedeem[] }>('/sandbox/redeems?limit=100')
    return (
      <Panel id="list" title="Newest first">
        <Rows
          caption={found.length < 100 ? `${found.length} redeems` : 'The last 100 redeems'}
          columns={[
            'When',
            'Chain',
            'Customer',
            'Type',
            { name: 'Calls', is: 'wider' },
            { name: 'Amount', is: 'right' },
            { name: 'USDC part', is: 'right' },
            { name: 'Gas fee', is: 'right' },
            'State',
            'Report',
          ]}
          empty={noRedeems}
          rows={found.map((redeem) => [
            <Time of={redeem.createdAt} />,
            redeem.blockchain,
            <Account of={redeem.wallet} accounts={accounts} />,
            redeem.shape,
            <RedeemTarget redeem={redeem} accounts={accounts} />,
            <Usdc of={redeem.amount} />,
            <Usdc of={redeem.usdcAmount} />,
            <Usdc of={redeem.gasFee} />,
            <State of={redeem.status} />,
            <ReportLink redeem={redeem} merchantId={merchantId} />,
          ])}
        />
      </Panel>
    )
  },
}

export const noRedeems = (
  <>
    There are no redeems yet. Run <code>npx redeemkit redeem --type token --to bob --amount 10.00</code> to
    make one.
  </>
)

export function RedeemTarget(options: { redeem: ListedRedeem; accounts: ViewContext['accounts'] }) {
  const { redeem, accounts } = options
  const { target, selector } = redeem
  if (target === undefined) return null
  if (selector === undefined) return <Account of={target} accounts={accounts} />
  return (
    <span class="number">
      <code>{selector}</code> at <Id of={target} />
    </span>
  )
}

export function ReportLink({ redeem, merchantId }: { redeem: ListedRedeem; merchantId: string }) {
  const { wallet, nonce } = redeem
  return (
    <a href={`/dashboard/redeems/${wallet}/${nonce}?merchant=${encodeURIComponent(merchantId)}`}>
      Report<span class="unseen"> of {nonce}</span>
    </a>
  )
}
