/** @jsxImportSource hono/jsx */
import type { Subscription, SubscriptionPlan } from '../../../../schema/subscription.ts'
import { ActionForm, Cents, Id, Rows, State, Time } from '../parts.tsx'
import type { View, ViewContext } from './view.ts'

/** Plans, and who has subscribed to them. */
export const subscriptions: View = {
  path: 'subscriptions',
  name: 'Subscriptions',
  draw: async (context) => {
    const [plans, subscribers] = await Promise.all([
      context.ask<SubscriptionPlan[]>('/sandbox/subscription/plans'),
      context.ask<Subscription[]>('/sandbox/subscription/subscribers'),
    ])
    return (
      <>
        <Rows
          caption="Plans"
          columns={['Plan', 'Code', 'Price', 'Every', 'Sold']}
          empty="There are no plans. POST /sandbox/subscription/plans makes one, or the option plans of startSandbox."
          rows={plans.map(({ name, code, amount, interval, active }) => [
            name,
            <code>{code}</code>,
            <Cents of={amount.cents} currency={amount.currency} />,
            interval,
            active ? 'yes' : 'no more',
          ])}
        />
        <Rows
          caption="Subscriptions"
          columns={['Subscription', 'Customer', 'Plan', 'State', 'Next payment', 'Change']}
          empty="Nobody has subscribed yet."
          rows={subscribers.map((subscription) => [
            <Id of={subscription.id} />,
            <Id of={subscription.customerId} />,
            subscription.plan,
            <State of={subscription.status} />,
            subscription.nextPaymentAt === undefined ? '' : <Time of={subscription.nextPaymentAt} />,
            <Changes subscription={subscription} context={context} />,
          ])}
        />
      </>
    )
  },
}

function Changes({ subscription, context }: { subscription: Subscription; context: ViewContext }) {
  const { id, status } = subscription
  const form = (change: string, label: string, kind?: 'danger') => (
    <ActionForm
      context={context}
      action="changeSubscription"
      label={label}
      about={id}
      kind={kind}
      fields={{ subscriptionId: id, change }}
    />
  )
  return (
    <div class="actions">
      {(status === 'Active' || status === 'Failed') && form('block', 'Block', 'danger')}
      {(status === 'Active' || status === 'Failed') && form('cancel', 'Cancel', 'danger')}
      {status === 'Blocked' && form('unblock', 'Unblock')}
    </div>
  )
}
