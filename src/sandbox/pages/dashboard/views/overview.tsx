/** @jsxImportSource hono/jsx */

import { oneLine } from '../../../../redeemkit/core/errors/oneLine.ts'
import { getBalances } from '../../../../redeemkit/schema/endpoints/routes.ts'
import { ServiceRefusalError } from '../actions.ts'
import { ActionForm, Cents, orError, Panel, Rows, State, Time } from '../parts.tsx'
import type { View, ViewContext } from './view.ts'

type Program = {
  blockchain: string
  programId: string
  selector?: string
  signature?: string
  status: string
}
type Clock = { now: string; movedSeconds: number; chains: { chainId: number; now: string }[] }
type Health = { chains: { blockchain: string; chainId: number; blockNumber: number | string }[] }
type Balances = { credits: { cents: number }; usdc: { cents: number } }

/** Whitelist requests, the clock, and balances; each part renders even if another fails. */
export const overview: View = {
  path: '',
  name: 'Overview',
  draw: async (context) => {
    const health = context.ask<Health>('/health')
    // Each part that needs it awaits it below.
    health.catch(() => {})
    const [whitelist, clock, balances] = await Promise.all([
      orError(() => drawWhitelist(context)),
      orError(() => drawClock(context)),
      orError(async () => drawBalances(context, await health)),
    ])
    return (
      <>
        <Panel id="whitelist" title="Whitelist">
          {whitelist}
        </Panel>
        <Panel id="clock" title="Clock">
          {clock}
        </Panel>
        <Panel id="balances" title="Balances">
          {balances}
        </Panel>
      </>
    )
  },
}

async function drawWhitelist(context: ViewContext) {
  const { programs } = await context.ask<{ programs: Program[] }>('/sandbox/programs')
  const isOpen = ({ status }: Program) => status === 'pending'
  return (
    <>
      <Rows
        caption="Contracts that redeems may call, and pending requests"
        columns={['Chain', 'Contract', 'Function', 'State', 'Decide']}
        empty={
          <>
            No contract has been requested. Run <code>npx redeemkit whitelist request 0x…</code>, or add one
            to the whitelist here.
          </>
        }
        rows={[...programs.filter(isOpen), ...programs.filter((one) => !isOpen(one))].map((program) => [
          oneLine(program.blockchain),
          <code>{oneLine(program.programId)}</code>,
          <code>{oneLine(program.signature ?? program.selector ?? 'every function')}</code>,
          <State of={program.status} />,
          <Decide program={program} context={context} />,
        ])}
      />
      <details id="approve">
        <summary>Add a contract</summary>
        <div class="fields">
          <ActionForm
            context={context}
            action="decideProgram"
            label="Approve"
            about="the contract"
            kind="main"
            fields={{ approved: 'true' }}
          >
            <label>
              Chain
              <input
                name="blockchain"
                required
                size={10}
                value={oneLine(programs[0]?.blockchain ?? 'base')}
              />
            </label>
            <label>
              Contract
              <input name="programId" required size={44} placeholder="0x…" autocomplete="off" />
            </label>
            <label>
              Function; empty: every one
              <input name="selector" size={30} placeholder="buy(address,uint256)" autocomplete="off" />
            </label>
          </ActionForm>
        </div>
      </details>
    </>
  )
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
      <p class="reason">
        Time only moves forward, and everything due until then happens. A chain cannot go back.
      </p>
    </>
  )
}

async function drawBalances(context: ViewContext, { chains }: Health) {
  return Promise.all(
    chains.map(async ({ blockchain, chainId, blockNumber }) => (
      <Rows
        caption={`${blockchain}, chain ${chainId}, block ${blockNumber}`}
        columns={['Person', 'Address', { name: 'Credits', is: 'right' }, { name: 'USDC', is: 'right' }]}
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

/** Shows the service's error in place of the balance; the other accounts are unaffected. */
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

function Decide({ program, context }: { program: Program; context: ViewContext }) {
  const { blockchain, programId, selector, status } = program
  const about = `${programId} ${selector ?? ''}`.trim()
  const fields = { blockchain, programId, selector, was: status }
  return (
    <div class="actions">
      {status !== 'approved' && (
        <ActionForm
          context={context}
          action="decideProgram"
          label="Approve"
          about={about}
          kind={status === 'pending' ? 'main' : 'plain'}
          fields={{ ...fields, approved: 'true' }}
        />
      )}
      {status !== 'rejected' && (
        <ActionForm
          context={context}
          action="decideProgram"
          label={status === 'approved' ? 'Take off' : 'Reject'}
          about={about}
          kind="danger"
          fields={{ ...fields, approved: 'false' }}
        />
      )}
    </div>
  )
}

const units = [
  ['minutes', 60],
  ['hours', 3_600],
  ['days', 86_400],
] as const

const steps = [
  ['5 minutes on', 300],
  ['1 hour on', 3_600],
  ['1 day on', 86_400],
  ['31 days on', 2_678_400],
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
