/** @jsxImportSource hono/jsx */
import { Account, Rows, State, Time, Usdc } from '../parts.tsx'
import type { View } from './view.ts'

/** A row of `GET /sandbox/redeems` (PROTOCOL.md 2.10). */
type ListedRedeem = {
  blockchain: string
  wallet: string
  nonce: string
  shape: string
  status: string
  amount: string
  usdcAmount: string
  gasFee: string
  hash?: string
  createdAt: string
}

/** The newest redeems; each leads to its report. */
export const redeems: View = {
  path: 'redeems',
  name: 'Redeems',
  draw: async ({ ask, people, merchantId }) => {
    const { redeems: found } = await ask<{ redeems: ListedRedeem[] }>('/sandbox/redeems?limit=50')
    return (
      <Rows
        caption="Redeems, the newest first"
        columns={['When', 'Chain', 'Customer', 'Shape', 'Amount', 'of it USDC', 'Gas fee', 'State', 'Report']}
        empty="There are no redeems yet. npx redeemkit demo shows all of them; npx redeemkit redeem makes one."
        rows={found.map(({ blockchain, wallet, nonce, shape, status, createdAt, ...amounts }) => [
          <Time of={createdAt} />,
          blockchain,
          <Account of={wallet} people={people} />,
          shape,
          <Usdc of={amounts.amount} />,
          <Usdc of={amounts.usdcAmount} />,
          <Usdc of={amounts.gasFee} />,
          <State of={status} />,
          <a href={`/dashboard/redeems/${wallet}/${nonce}?merchant=${encodeURIComponent(merchantId)}`}>
            report<span class="unseen"> of {nonce}</span>
          </a>,
        ])}
      />
    )
  },
}
