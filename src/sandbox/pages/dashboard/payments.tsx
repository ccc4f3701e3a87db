/** @jsxImportSource hono/jsx */
import { oneLine } from '../../../redeemkit/core/errors/oneLine.ts'
import type { Payment } from '../../../redeemkit/schema/payment.ts'
import {
  ActionForm,
  Cents,
  Foreign,
  Id,
  Panel,
  Rows,
  State,
  Time,
  type View,
  type ViewContext,
} from './parts.tsx'

export const payments: View = {
  path: 'payments',
  name: 'Payments',
  draw: async (context) => {
    const { payments: found } = await context.ask<{ payments: Payment[] }>('/sandbox/payments?limit=100')
    return (
      <Panel id="list" title="Newest first">
        <Rows
          caption={found.length < 100 ? `${found.length} payments` : 'The last 100 payments'}
          columns={[
            'Payment',
            'Rail',
            { name: 'Amount', is: 'right' },
            'State',
            'Changed',
            'What happens next',
          ]}
          empty={
            <>
              There are no payments yet. Create one with a checkout: <code>POST /api/checkout/pix</code>, for
              example.
            </>
          }
          rows={found.map((payment) => [
            <Id of={payment.paymentId} />,
            oneLine(payment.rail ?? ''),
            payment.subtotal === undefined ? (
              ''
            ) : (
              <Cents of={payment.subtotal.cents} currency={payment.subtotal.currency} />
            ),
            <>
              <State of={payment.status ?? 'unknown'} />
              {payment.error !== undefined && (
                <div class="reason">
                  <Foreign of={payment.error} />
                </div>
              )}
            </>,
            payment.updatedAt === undefined ? '' : <Time of={payment.updatedAt} />,
            <Next payment={payment} context={context} />,
          ])}
        />
      </Panel>
    )
  },
}

function Next({ payment, context }: { payment: Payment; context: ViewContext }) {
  const { paymentId, status, rail } = payment
  const form = (action: string, label: string, fields = {}, kind?: 'main' | 'danger') => (
    <ActionForm
      context={context}
      action={action}
      label={label}
      about={paymentId}
      kind={kind}
      fields={{ paymentId, ...fields }}
    />
  )
  return (
    <div class="actions">
      {status === 'created' && rail === 'card' && (
        <span class="reason">waits for the customer to complete the challenge</span>
      )}
      {status === 'created' && rail !== 'card' && form('pay', 'Receive payment', {}, 'main')}
      {status === 'settled' && form('dispute', 'Dispute', {}, 'danger')}
      {status === 'disputed' && form('decideDispute', 'The merchant wins', { won: 'true' })}
      {status === 'disputed' && form('decideDispute', 'The merchant loses', { won: 'false' }, 'danger')}
    </div>
  )
}
