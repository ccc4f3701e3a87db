/** @jsxImportSource hono/jsx */
import { oneLine } from '../../../redeemkit/core/errors/oneLine.ts'
import { ActionForm, Foreign, Id, Panel, Rows, State, Time, type View, type ViewContext } from './parts.tsx'

type Settings = { url: string | null; listeners: { listenerId: string; name: string }[] }
type Delivery = {
  target: string
  status: string
  attempts: number
  lastStatus?: number
  lastError?: string
  nextAttemptAt?: string
}
type WebhookEvent = { id: string; type: string; createdAt: string; data: object; deliveries: Delivery[] }

export const webhooks: View = {
  path: 'webhooks',
  name: 'Webhooks',
  draw: async (context) => {
    const after = context.query.get('after')
    const [settings, { events, next }] = await Promise.all([
      context.ask<Settings>('/sandbox/webhooks'),
      context.ask<{ events: WebhookEvent[]; next?: string }>(
        `/sandbox/webhooks/events?limit=50${after === null ? '' : `&after=${encodeURIComponent(after)}`}`,
      ),
    ])
    const page = `/dashboard/webhooks?merchant=${encodeURIComponent(context.merchantId)}`
    return (
      <>
        <Panel id="to" title="Targets">
          <Destinations settings={settings} />
        </Panel>
        <Panel id="events" title="Events">
          <Rows
            caption={after === null ? 'Newest first' : 'Older events, newest first'}
            columns={['When', 'Type', 'Body', 'Delivered', 'Resend']}
            empty={
              <>
                There are no events yet. <code>npx redeemkit trigger payment.settled</code> sends a sample.
              </>
            }
            rows={events.map((event) => rowOf(event, { context, settings }))}
          />
          <div class="fields act">
            {after !== null && <a href={page}>Newest events</a>}
            {next !== undefined && <a href={`${page}&after=${encodeURIComponent(next)}`}>Older events</a>}
          </div>
        </Panel>
      </>
    )
  },
}

function Destinations({ settings: { url, listeners } }: { settings: Settings }) {
  if (url === null && listeners.length === 0)
    return (
      <p class="empty">
        There is no target. Set a URL with <code>POST /sandbox/webhooks</code>, or run{' '}
        <code>npx redeemkit listen --forward-to URL</code>.
      </p>
    )
  return (
    <dl class="facts">
      {url !== null && (
        <>
          <dt>Address</dt>
          <dd>
            <code>{oneLine(url)}</code>
          </dd>
        </>
      )}
      {listeners.length > 0 && (
        <>
          <dt>Listening now</dt>
          <dd>
            {listeners.map(({ name }) => (
              <div>
                <Foreign of={name} />
              </div>
            ))}
          </dd>
        </>
      )}
    </dl>
  )
}

function rowOf(
  { id, type, createdAt, data, deliveries }: WebhookEvent,
  { context, settings }: { context: ViewContext; settings: Settings },
) {
  return [
    <Time of={createdAt} />,
    <>
      <Foreign of={type} />
      <br />
      <Id of={id} />
    </>,
    <details id={`data-${id}`}>
      <summary>
        data<span class="unseen"> of {oneLine(id)}</span>
      </summary>
      <pre>{JSON.stringify(data, null, 2).split('\n').map(oneLine).join('\n')}</pre>
    </details>,
    deliveries.length === 0
      ? 'no endpoint'
      : deliveries.map((delivery) => <How delivery={delivery} listeners={settings.listeners} />),
    <ActionForm
      context={context}
      action="resend"
      label="Send again"
      about={`${type} ${id}`}
      fields={{ id }}
    />,
  ]
}

function How({
  delivery: { target, status, attempts, lastStatus, lastError, nextAttemptAt },
  listeners,
}: {
  delivery: Delivery
  listeners: Settings['listeners']
}) {
  const name = listeners.find(({ listenerId }) => listenerId === target)?.name
  return (
    <div>
      <State of={status} />{' '}
      {target === 'url' ? 'to the URL' : name === undefined ? 'to a removed listener' : 'to '}
      {target !== 'url' && name !== undefined && <Foreign of={name} />}, {attempts}{' '}
      {attempts === 1 ? 'attempt' : 'attempts'}
      {lastStatus !== undefined && `, status ${lastStatus}`}
      {lastStatus === undefined && lastError !== undefined && (
        <>
          , no response
          <div class="reason">
            <Foreign of={lastError} />
          </div>
        </>
      )}
      {status === 'pending' && nextAttemptAt !== undefined && (
        <div class="reason">
          next attempt <Time of={nextAttemptAt} />
        </div>
      )}
    </div>
  )
}
