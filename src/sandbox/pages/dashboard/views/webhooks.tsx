/** @jsxImportSource hono/jsx */
import { ActionForm, Id, Rows, State, Time } from '../parts.tsx'
import type { View } from './view.ts'

type Delivery = { target: string; status: string; attempts: number; lastStatus?: number; lastError?: string }
type WebhookEvent = { id: string; type: string; createdAt: string; data: object; deliveries: Delivery[] }

/** What the merchant was told, how that went, and once more. */
export const webhooks: View = {
  path: 'webhooks',
  name: 'Webhooks',
  draw: async (context) => {
    const [{ url, listeners }, { events }] = await Promise.all([
      context.ask<{ url: string | null; listeners: { name: string }[] }>('/sandbox/webhooks'),
      context.ask<{ events: WebhookEvent[] }>('/sandbox/webhooks/events?limit=50'),
    ])
    return (
      <>
        <p>
          {url === null ? (
            'They go to no address'
          ) : (
            <>
              They go to <code>{url}</code>
            </>
          )}
          {listeners.length === 0
            ? '.'
            : `, and to ${listeners.map(({ name }) => name).join(', ')}, which is listening.`}{' '}
          {url === null && listeners.length === 0 && (
            <>
              Set one with <code>POST /sandbox/webhooks</code>, or run{' '}
              <code>npx redeemkit listen --forward-to URL</code>.
            </>
          )}
        </p>
        <Rows
          caption="Events, the newest first"
          columns={['When', 'Type', 'Body', 'Delivered', 'Again']}
          empty="Nothing has happened yet that a merchant is told of."
          rows={events.map(({ id, type, createdAt, data, deliveries }) => [
            <Time of={createdAt} />,
            <>
              {type}
              <br />
              <Id of={id} />
            </>,
            <details>
              <summary>
                data<span class="unseen"> of {id}</span>
              </summary>
              <pre>{JSON.stringify(data, null, 2)}</pre>
            </details>,
            deliveries.length === 0
              ? 'to nobody'
              : deliveries.map(({ target, status, attempts, lastStatus, lastError }) => (
                  <div>
                    <State of={status} /> {target === 'url' ? 'to the address' : `to ${target}`}, {attempts}{' '}
                    {attempts === 1 ? 'attempt' : 'attempts'}
                    {lastStatus === undefined
                      ? lastError !== undefined && ', no answer'
                      : `, answered ${lastStatus}`}
                  </div>
                )),
            <ActionForm context={context} action="resend" label="Send again" about={id} fields={{ id }} />,
          ])}
        />
      </>
    )
  },
}
