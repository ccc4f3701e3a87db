/** @jsxImportSource hono/jsx */
import { oneLine } from '../../../redeemkit/core/errors/oneLine.ts'
import { sendGaslessTx } from '../../../redeemkit/schema/endpoints/routes.ts'
import type { RequestLogEntry } from '../../requestLog.ts'
import { testCards } from '../../service/checkout/cards.ts'
import type { Fault } from '../../service/controls/sandboxControls.ts'
import { ActionForm, orError, Panel, Rows, State, Time, type View, type ViewContext } from './parts.tsx'

export const faults: View = {
  path: 'faults',
  name: 'Faults and log',
  draw: async (context) => {
    const [found, log] = await Promise.all([
      orError(() => drawFaults(context)),
      orError(() => drawLog(context)),
    ])
    return (
      <>
        <Panel id="faults" title="Faults">
          {found}
        </Panel>
        <Panel id="log" title="Log">
          {log}
        </Panel>
      </>
    )
  },
}

async function drawFaults(context: ViewContext) {
  const { faults: found } = await context.ask<{ faults: Fault[] }>('/sandbox/fault')
  return (
    <>
      <Rows
        caption="Active faults"
        columns={['Paths', 'What happens', 'Triggered', 'Stop']}
        empty="No fault is active. Trigger one to see how your program handles it."
        rows={found.map((fault) => [
          <code>{oneLine(fault.path)}</code>,
          describe(fault),
          triggeredText(fault),
          <ActionForm
            context={context}
            action="clearFault"
            label="Stop"
            about={`${describe(fault)} at ${fault.path}`}
            fields={{ faultId: fault.faultId }}
          />,
        ])}
      />
      {found.length > 1 && (
        <div class="actions">
          <ActionForm context={context} action="clearFault" label="Clear all" kind="main" />
        </div>
      )}
      <h3>Available faults</h3>
      <ul class="choices">
        {ready.map(({ label, fields }) => (
          <li>
            <ActionForm context={context} action="switchFault" label="Trigger" about={label} fields={fields}>
              <span>{label}</span>
            </ActionForm>
          </li>
        ))}
      </ul>
      <p class="reason">
        For any other path, status, delay or share of requests, use <code>POST /sandbox/fault</code>. To test
        a declined card, use the test card <code>{testCards.declined.number}</code>.
      </p>
    </>
  )
}

async function drawLog(context: ViewContext) {
  const { requests } = await context.ask<{ requests: RequestLogEntry[] }>('/sandbox/log?limit=100')
  return (
    <Rows
      caption="The last 100 requests, newest first"
      columns={['When', 'Call', 'Answer', { name: 'Took', is: 'right' }]}
      empty="There are no requests yet. Point a client at this service; the terminal shows how."
      rows={requests.map(({ time, method, route, status, ms, code }) => [
        <Time of={time} />,
        <code>{oneLine(`${method} ${route ?? 'an unknown path'}`)}</code>,
        <>
          <State of={status < 400 ? 'ok' : 'failed'} /> {status} {code}
        </>,
        <span class="number">{Math.round(ms)} ms</span>,
      ])}
    />
  )
}

function triggeredText({ triggered, times }: Fault): string {
  if (times === undefined) return String(triggered)
  return `${triggered} of ${times}${triggered >= times ? ', used up' : ''}`
}

/** Common faults. `POST /sandbox/fault` can trigger all others. */
const ready = [
  {
    label: 'Every redeem call responds 3 s late',
    fields: { path: '/api/redeem/*', kind: 'slow', delayMs: '3000' },
  },
  {
    label: 'The response to the next redeem is lost, but the redeem executes',
    fields: { path: sendGaslessTx.path, kind: 'lost', times: '1' },
  },
  {
    label: 'The next 5 redeem calls return 503',
    fields: { path: '/api/redeem/*', kind: 'status', status: '503', times: '5' },
  },
  {
    label: 'The next 5 redeem calls return 429',
    fields: { path: '/api/redeem/*', kind: 'status', status: '429', times: '5' },
  },
  {
    label: 'The next checkout requires verification (451)',
    fields: { path: '/api/checkout/*', kind: 'status', status: '451', times: '1' },
  },
  {
    label: 'The next card checkout is declined (402)',
    fields: { path: '/api/checkout/card/*', kind: 'status', status: '402', times: '1' },
  },
  {
    label: 'The response to the next checkout is lost, but the payment is made',
    fields: { path: '/api/checkout/*', kind: 'lost', times: '1' },
  },
  {
    label: 'The next 3 card checkouts fail with 500',
    fields: { path: '/api/checkout/card/*', kind: 'status', status: '500', times: '3' },
  },
] as const

function describe({ kind, status, delayMs }: Fault): string {
  switch (kind) {
    case 'slow':
      return `responds ${delayMs} ms late`
    case 'lost':
      return 'breaks the connection'
    case 'status':
      return `returns ${status}`
  }
}
