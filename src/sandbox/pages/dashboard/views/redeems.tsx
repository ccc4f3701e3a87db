/** @jsxImportSource hono/jsx */
import { Account, Id, Panel, Rows, State, Time, Usdc } from '../parts.tsx'
import type { View } from './view.ts'

/** A row of `GET /sandbox/redeems` (PROTOCOL.md 2.10). */
type ListedRedeem = {
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
            'Shape',
            { name: 'Calls', is: 'wider' },
            { name: 'Amount', is: 'right' },
            { name: 'of it USDC', is: 'right' },
            { name: 'Gas fee', is: 'right' },
            'State',
            'Report',
          ]}
          empty={
            <>
              There are no redeems yet. <code>npx redeemkit redeem --type token --to bob --amount 10.00</code>{' '}
              makes one.
            </>
          }
          rows={found.map(({ blockchain, wallet, nonce, shape, status, createdAt, ...redeem }) => [
            <Time of={createdAt} />,
            blockchain,
            <Account of={wallet} accounts={accounts} />,
            shape,
            redeem.target === undefined ? (
              ''
            ) : redeem.selector === undefined ? (
              <Account of={redeem.target} accounts={accounts} />
            ) : (
              <span class="number">
                <code>{redeem.selector}</code> at <Id of={redeem.target} />
              </span>
            ),
            <Usdc of={redeem.amount} />,
            <Usdc of={redeem.usdcAmount} />,
            <Usdc of={redeem.gasFee} />,
            <State of={status} />,
            <a href={`/dashboard/redeems/${wallet}/${nonce}?merchant=${encodeURIComponent(merchantId)}`}>
              Report<span class="unseen"> of {nonce}</span>
            </a>,
          ])}
        />
      </Panel>
    )
  },
}
