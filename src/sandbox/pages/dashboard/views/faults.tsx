/** @jsxImportSource hono/jsx */
import type { RequestLogEntry } from '../../../requestLog.ts'
import { dashboardCaller } from '../ask.ts'
import { ActionForm, Rows, State, Time } from '../parts.tsx'
import type { View } from './view.ts'

type Fault = {
  faultId: string
  path: string
  kind: string
  status?: number
  delayMs?: number
  times?: number
  struck: number
}

/** Faults to switch on, and what was asked of the service lately. */
export const faults: View = {
  path: 'faults',
  name: 'Faults and log',
  draw: async (context) => {
    const [{ faults: found }, { requests }] = await Promise.all([
      context.ask<{ faults: Fault[] }>('/sandbox/fault'),
      context.ask<{ requests: RequestLogEntry[] }>('/sandbox/log?limit=200'),
    ])
    return (
      <>
        <section aria-labelledby="faults">
          <h2 id="faults">Faults</h2>
          <ul class="choices">
            {ready.map(({ label, fields }) => (
              <li>
                <ActionForm
                  context={context}
                  action="switchFault"
                  label="Switch on"
                  about={label}
                  fields={fields}
                >
                  <span>{label}</span>
                </ActionForm>
              </li>
            ))}
          </ul>
          <Rows
            caption="Faults that are on"
            columns={['Paths', 'What happens', 'Struck', 'Switch off']}
            empty="No fault is on."
            rows={found.map((fault) => [
              <code>{fault.path}</code>,
              describe(fault),
              `${fault.struck}${fault.times === undefined ? '' : ` of ${fault.times}`}`,
              <ActionForm
                context={context}
                action="clearFault"
                label="Switch off"
                about={`${describe(fault)} at ${fault.path}`}
                fields={{ faultId: fault.faultId }}
              />,
            ])}
          />
        </section>
        <section aria-labelledby="log">
          <h2 id="log">Log</h2>
          <Rows
            caption="Requests, the newest first"
            columns={['When', 'Call', 'Answer', 'Took']}
            empty="Nobody has asked anything yet."
            rows={requests
              .filter(({ callerId }) => callerId !== dashboardCaller)
              .slice(0, 50)
              .map(({ time, method, route, status, ms, code }) => [
                <Time of={time} />,
                <code>
                  {method} {route ?? 'a path that is not there'}
                </code>,
                <>
                  <State of={status < 400 ? 'ok' : 'failed'} /> {status} {code}
                </>,
                <span class="number">{Math.round(ms)} ms</span>,
              ])}
          />
        </section>
      </>
    )
  },
}

/** The usual ones; `POST /sandbox/fault` takes all others. */
const ready = [
  {
    label: 'Every redeem call is answered 3 s late',
    fields: { path: '/api/redeem/*', kind: 'slow', delayMs: '3000' },
  },
  {
    label: 'The answer to the next redeem is lost, the redeem is done',
    fields: { path: '/api/redeem/evm/sendGaslessTx', kind: 'lost', times: '1' },
  },
  {
    label: 'The next 5 redeem calls are answered 503',
    fields: { path: '/api/redeem/*', kind: 'status', status: '503', times: '5' },
  },
  {
    label: 'The next 5 redeem calls are answered 429',
    fields: { path: '/api/redeem/*', kind: 'status', status: '429', times: '5' },
  },
  {
    label: 'The next checkout asks for a verification (451)',
    fields: { path: '/api/checkout/*', kind: 'status', status: '451', times: '1' },
  },
  {
    label: 'The next 3 card checkouts fail with 500',
    fields: { path: '/api/checkout/card/*', kind: 'status', status: '500', times: '3' },
  },
] as const

function describe({ kind, status, delayMs }: Fault): string {
  if (kind === 'slow') return `answers ${delayMs} ms late`
  return kind === 'lost' ? 'breaks the connection' : `answers ${status}`
}
