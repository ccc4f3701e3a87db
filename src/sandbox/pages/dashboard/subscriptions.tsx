/** @jsxImportSource hono/jsx */
import { oneLine } from '../../../redeemkit/core/errors/oneLine.ts'
import type { Subscription, SubscriptionPlan } from '../../../redeemkit/schema/subscription.ts'
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
        <Panel id="plans" title="Plans">
          <Rows
            caption="Plans that customers can subscribe to"
            columns={['Plan', 'Code', { name: 'Price', is: 'right' }, 'Every', 'Available']}
            empty={
              <>
                There are no plans. <code>POST /sandbox/subscription/plans</code> creates one, as does the
                option <code>plans</code> of <code>startSandbox</code>.
              </>
            }
            rows={plans.map(({ name, code, amount, interval, active }) => [
              <Foreign of={name} />,
              <code>
                <Foreign of={code} />
              </code>,
              <Cents of={amount.cents} currency={amount.currency} />,
              oneLine(interval),
              active ? 'yes' : 'no',
            ])}
          />
        </Panel>
        <Panel id="subscriptions" title="Subscriptions">
          <Rows
            caption={subscribers.length < 100 ? 'Newest first' : 'The last 100, newest first'}
            columns={['Subscription', 'Customer', 'Plan', 'State', 'Next payment', 'Change']}
            empty={
              <>
                There are no subscribers yet. A customer subscribes with{' '}
                <code>POST /api/subscription/…/subscribers/token</code>.
              </>
            }
            rows={subscribers.map((subscription) => [
              <Id of={subscription.id} />,
              <Id of={subscription.customerId} />,
              <Foreign of={subscription.plan} />,
              <State of={subscription.status} />,
              subscription.nextPaymentAt === undefined ? '' : <Time of={subscription.nextPaymentAt} />,
              <Changes subscription={subscription} context={context} />,
            ])}
          />
        </Panel>
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
      {(status === 'Active' || status === 'Failed' || status === 'Blocked') &&
        form('cancel', 'Cancel', 'danger')}
      {status === 'Blocked' && form('unblock', 'Unblock')}
    </div>
  )
}
