/** @jsxImportSource hono/jsx */
import { creditsAuthMsg, getBalances, sendGaslessTx } from '../../../redeemkit/schema/endpoints/routes.ts'
import type { RequestLogEntry } from '../../requestLog.ts'
import { ServiceRefusalError } from './actions.ts'
import {
  Account,
  ActionForm,
  Cents,
  orError,
  Panel,
  Rows,
  State,
  Time,
  Usdc,
  type View,
  type ViewContext,
} from './parts.tsx'
import { type ListedRedeem, noRedeems, RedeemTarget, ReportLink } from './redeems.tsx'
import { drawWhitelist } from './whitelist.tsx'

type Clock = { now: string; movedSeconds: number; chains: { chainId: number; now: string }[] }
type Health = { chains: { blockchain: string; chainId: number; blockNumber: number | string }[] }
type Balances = { credits: { cents: number }; usdc: { cents: number } }

export const overview: View = {
  path: '',
  name: 'Overview',
  draw: async (context) => {
    const health = context.ask<Health>('/health')
    // Prevents an unhandled rejection: each part that needs the result awaits it below.
    health.catch(() => {})
    const [balances, redeems, whitelist, clock] = await Promise.all([
      orError(async () => drawBalances(context, await health)),
      orError(() => drawRecentRedeems(context)),
      orError(() => drawWhitelist(context)),
      orError(() => drawClock(context)),
    ])
    return (
      <>
        <Panel id="balances" title="Balances">
          {balances}
        </Panel>
        <Panel id="redeems" title="Recent redeems">
          {redeems}
        </Panel>
        <Panel id="whitelist" title="Whitelist">
          {whitelist}
        </Panel>
        <Panel id="clock" title="Clock">
          {clock}
        </Panel>
      </>
    )
  },
}

async function drawClock(context: ViewContext) {
  const { now, movedSeconds, chains } = await context.ask<Clock>('/sandbox/clock')
  return (
    <>
      <dl class="facts">
        <dt>Service</dt>
        <dd>
          <Time of={now} />
          {movedSeconds > 0 && <>, {duration(movedSeconds)} ahead of this machine</>}
        </dd>
        {chains.map((chain) => (
          <>
            <dt>Chain {chain.chainId}</dt>
            <dd>
              <Time of={chain.now} />, its latest block
            </dd>
          </>
        ))}
      </dl>
      <div class="fields act">
        {steps.map(([label, count]) => (
          <ActionForm
            context={context}
            action="moveClock"
            label={label}
            about="move the clock"
            fields={{ count: String(count), unitSeconds: '1' }}
          />
        ))}
      </div>
      <div class="fields">
        <ActionForm context={context} action="moveClock" label="Advance" about="the clock by that time">
          <label>
            By
            <input name="count" type="number" min="1" step="1" required />
          </label>
          <label>
            Unit
            <select name="unitSeconds">
              {units.map(([unit, seconds]) => (
                <option value={String(seconds)} selected={unit === 'days'}>
                  {unit}
                </option>
              ))}
            </select>
          </label>
        </ActionForm>
        <ActionForm context={context} action="setClock" label="Set" about="the clock to that time">
          <label>
            To (UTC)
            <input name="now" type="datetime-local" required min={now.slice(0, 16)} />
          </label>
        </ActionForm>
      </div>
      <p class="reason">The clocks only move forward. Everything due by the new time happens right away.</p>
    </>
  )
}

async function drawBalances(context: ViewContext, { chains }: Health) {
  return Promise.all(
    chains.map(async ({ blockchain, chainId, blockNumber }) => (
      <Rows
        caption={`${blockchain}, chain ${chainId}, block ${blockNumber}`}
        columns={['Account', 'Address', { name: 'Credits', is: 'right' }, { name: 'USDC', is: 'right' }]}
        empty="There are no test accounts."
        rows={await balanceRows(context, blockchain)}
      />
    )),
  )
}

async function balanceRows(context: ViewContext, blockchain: string) {
  return Promise.all(
    Object.entries(context.accounts).map(async ([name, address]) => {
      const found = await balancesOf(context, { blockchain, address })
      if (typeof found === 'string') return [name, <code>{address}</code>, found, '']
      const { credits, usdc } = found
      return [
        name,
        <code>{address}</code>,
        <Cents of={credits.cents} />,
        <Cents of={usdc.cents} currency="USDC" />,
      ]
    }),
  )
}

/** If a request fails, the table shows the service's error for this account only. */
async function balancesOf(
  context: ViewContext,
  customer: { blockchain: string; address: string },
): Promise<Balances | string> {
  const path = getBalances.path.replace('{merchantIdOrCreditSeed}', encodeURIComponent(context.merchantId))
  try {
    return await context.ask<Balances>(path, { headers: context.walletHeaders(customer) })
  } catch (error) {
    if (error instanceof ServiceRefusalError) return error.shortMessage
    throw error
  }
}

const units = [
  ['minutes', 60],
  ['hours', 3_600],
  ['days', 86_400],
] as const

const steps = [
  ['+5 minutes', 300],
  ['+1 hour', 3_600],
  ['+1 day', 86_400],
  ['+31 days', 2_678_400],
] as const

function duration(seconds: number): string {
  const days = Math.floor(seconds / 86_400)
  const hours = Math.floor((seconds % 86_400) / 3_600)
  const minutes = Math.floor((seconds % 3_600) / 60)
  return (
    [
      [days, 'd'],
      [hours, 'h'],
      [minutes, 'min'],
    ]
      .filter(([count]) => count !== 0)
      .map(([count, unit]) => `${count} ${unit}`)
      .join(' ') || `${seconds} s`
  )
}

async function drawRecentRedeems(context: ViewContext) {
  const { ask, accounts, merchantId } = context
  const [{ redeems }, { requests }] = await Promise.all([
    ask<{ redeems: ListedRedeem[] }>(`/sandbox/redeems?limit=${mostRecent}`),
    ask<{ requests: RequestLogEntry[] }>('/sandbox/log?limit=1000'),
  ])
  const made = redeems.map((redeem) => ({
    at: redeem.createdAt,
    cells: [
      <Time of={redeem.createdAt} />,
      <Account of={redeem.wallet} accounts={accounts} />,
      <>
        {redeem.shape} {redeem.target !== undefined && (redeem.selector === undefined ? 'to ' : 'calls ')}
        <RedeemTarget redeem={redeem} accounts={accounts} />
      </>,
      <Usdc of={redeem.amount} />,
      <State of={redeem.status} />,
      <ReportLink redeem={redeem} merchantId={merchantId} />,
    ],
  }))
  const refused = requests
    .filter(({ route, status, ...request }) => {
      // A request that was rejected before authentication has no merchant in the log.
      const isOwn = request.merchantId === undefined || request.merchantId === merchantId
      return isOwn && status >= 400 && route !== null && route in refusedSteps
    })
    .slice(0, mostRecent)
    .map(({ time, route, status, code }) => ({
      at: time,
      cells: [
        <Time of={time} />,
        '',
        refusedSteps[route ?? ''],
        '',
        <State of="rejected" />,
        `${code ?? ''} ${status}`,
      ],
    }))
  const rows = [...made, ...refused].sort((one, other) => other.at.localeCompare(one.at)).slice(0, mostRecent)
  return (
    <>
      <Rows
        caption="Newest first, including rejected requests"
        columns={['When', 'Customer', 'Redeem', { name: 'Amount', is: 'right' }, 'State', 'Details']}
        empty={noRedeems}
        rows={rows.map(({ cells }) => cells)}
      />
      {redeems.length === mostRecent && (
        <p>
          <a href={`/dashboard/redeems?merchant=${encodeURIComponent(merchantId)}`}>All redeems</a>
        </p>
      )}
    </>
  )
}

const mostRecent = 10

const refusedSteps: Readonly<Record<string, string>> = {
  [creditsAuthMsg.path]: 'not prepared',
  [sendGaslessTx.path]: 'not submitted',
}
