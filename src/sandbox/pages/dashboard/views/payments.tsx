/** @jsxImportSource hono/jsx */
import type { Payment } from '../../../../schema/payment.ts'
import { ActionForm, Cents, Id, Rows, State, Time } from '../parts.tsx'
import type { View, ViewContext } from './view.ts'

/** The newest payments, with what the world may do to each. */
export const payments: View = {
  path: 'payments',
  name: 'Payments',
  draw: async (context) => {
    const { payments: found } = await context.ask<{ payments: Payment[] }>('/sandbox/payments')
    return (
      <Rows
        caption="Payments, the newest first"
        columns={['Payment', 'Rail', 'Amount', 'State', 'Changed', 'What happens next']}
        empty="There are no payments yet. A checkout makes one."
        rows={found.map((payment) => [
          <Id of={payment.paymentId} />,
          payment.rail ?? '',
          payment.subtotal === undefined ? (
            ''
          ) : (
            <Cents of={payment.subtotal.cents} currency={payment.subtotal.currency} />
          ),
          <>
            <State of={payment.status ?? 'unknown'} />
            {payment.error !== undefined && <div class="reason">{payment.error}</div>}
          </>,
          payment.updatedAt === undefined ? '' : <Time of={payment.updatedAt} />,
          <Next payment={payment} context={context} />,
        ])}
      />
    )
  },
}

function Next({ payment, context }: { payment: Payment; context: ViewContext }) {
  const { paymentId, status, rail } = payment
  const form = (action: string, label: string, fields = {}, kind?: 'danger') => (
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
      {status === 'created' && rail !== 'card' && form('pay', 'The money arrives')}
      {status === 'settled' && form('dispute', 'The customer disputes it', {}, 'danger')}
      {status === 'disputed' && form('decideDispute', 'The merchant wins', { won: 'true' })}
      {status === 'disputed' && form('decideDispute', 'The merchant loses', { won: 'false' }, 'danger')}
    </div>
  )
}
