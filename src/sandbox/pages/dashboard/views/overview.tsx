/** @jsxImportSource hono/jsx */

import { ServiceRefusalError } from '../ask.ts'
import { ActionForm, Cents, Id, Rows, State, Time } from '../parts.tsx'
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

/** Whitelist requests, the clock, who has what. */
export const overview: View = {
  path: '',
  name: 'Overview',
  draw: async (context) => {
    const [{ programs }, clock, health] = await Promise.all([
      context.ask<{ programs: Program[] }>('/sandbox/programs'),
      context.ask<Clock>('/sandbox/clock'),
      context.ask<Health>('/health'),
    ])
    return (
      <>
        <section aria-labelledby="whitelist">
          <h2 id="whitelist">Whitelist</h2>
          <Rows
            caption="Contracts that may be called, and requests for more"
            columns={['Chain', 'Contract', 'Function', 'State', 'Decide']}
            empty="There are no requests yet. A merchant asks with POST /api/merchant/program, or npx redeemkit whitelist request."
            rows={programs.map((program) => [
              program.blockchain,
              <Id of={program.programId} />,
              <code>{program.signature ?? program.selector ?? 'every function'}</code>,
              <State of={program.status} />,
              <Decide program={program} context={context} />,
            ])}
          />
        </section>
        <section aria-labelledby="clock">
          <h2 id="clock">Clock</h2>
          <p>
            It is <Time of={clock.now} />
            {clock.movedSeconds > 0 && <> here, {duration(clock.movedSeconds)} ahead of this machine</>}.
          </p>
          <div class="actions">
            {steps.map(([label, seconds]) => (
              <ActionForm
                context={context}
                action="moveClock"
                label={label}
                about="move the clock"
                fields={{ advanceSeconds: String(seconds) }}
              />
            ))}
          </div>
        </section>
        <section aria-labelledby="balances">
          <h2 id="balances">Balances</h2>
          {
            await Promise.all(
              health.chains.map(async ({ blockchain, chainId, blockNumber }) => (
                <Rows
                  caption={`${blockchain}, chain ${chainId}, block ${blockNumber}`}
                  columns={['Person', 'Address', 'Credits', 'USDC']}
                  empty="There are no people."
                  rows={await balanceRows(context, blockchain)}
                />
              )),
            )
          }
        </section>
      </>
    )
  },
}

async function balanceRows(context: ViewContext, blockchain: string) {
  return Promise.all(
    Object.entries(context.people).map(async ([name, address]) => {
      const found = await balancesOf(context, { blockchain, address })
      if (typeof found === 'string') return [name, <Id of={address} />, found, '']
      const { credits, usdc } = found
      return [
        name,
        <Id of={address} />,
        <Cents of={credits.cents} />,
        <Cents of={usdc.cents} currency="USDC" />,
      ]
    }),
  )
}

/** A fault that is on may strike this call, too: then what the service said stands in the place of the money. */
async function balancesOf(
  context: ViewContext,
  customer: { blockchain: string; address: string },
): Promise<Balances | string> {
  const path = `/api/customer/balances/${encodeURIComponent(context.merchantId)}`
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
  const fields = { blockchain, programId, selector }
  return (
    <div class="actions">
      {status !== 'approved' && (
        <ActionForm
          context={context}
          action="decideProgram"
          label="Approve"
          about={about}
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
