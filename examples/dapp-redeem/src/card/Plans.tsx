import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatUsd, type getPlans, PaymentOutcomeUnknownError } from 'redeemkit'
import { usePlans, useSubscribe } from 'redeemkit/react'
import { useConnection } from 'wagmi'
import { Dialog } from '../Dialog.tsx'
import { askShop } from '../orders.ts'
import { Problem } from '../payment/Problem.tsx'
import { JoinPlan, JoinProblem } from './JoinPlan.tsx'

export type Plan = getPlans.ReturnType[number]
export type Joined = { id: string; planCode: string; status: string; nextPaymentAt?: string }

export function Plans() {
  const { address: wallet } = useConnection()
  const plans = usePlans()
  const joined = useQuery({
    queryKey: ['lampfall-joined', wallet],
    queryFn: () => askShop<Joined[]>('/shop-api/getCustomerSubscriptions'),
  })
  const [chosen, choose] = useState<Plan>()
  const [leaving, leave] = useState<{ plan: Plan; subscription: Joined }>()
  const close = () => {
    choose(undefined)
    leave(undefined)
    void joined.refetch()
  }
  const join = useSubscribe({ mutation: { onSuccess: close } })
  // While the outcome is unknown, the member must not pay again.
  const isUnknown = join.error instanceof PaymentOutcomeUnknownError
  const error = plans.error ?? joined.error
  if (error)
    return (
      <Problem
        title="The plans cannot be shown."
        error={error}
        onTryAgain={() => Promise.all([plans.refetch(), joined.refetch()])}
      />
    )
  if (wallet === undefined || plans.data === undefined || joined.data === undefined)
    return <p role="status">Loading the plans…</p>
  return (
    <div className="stack">
      <ul className="stack">
        {plans.data.map((plan) => {
          const { code, name, description } = plan
          const own = joined.data.find(({ planCode, status }) => planCode === code && !hasEnded.has(status))
          return (
            <li key={code} className="card stack">
              <div className="pay-head">
                <h2>{name}</h2>
                <Price of={plan} />
              </div>
              <p>{description}</p>
              {own === undefined ? (
                <button
                  type="button"
                  className="button button-wide"
                  aria-disabled={isUnknown}
                  onClick={() => {
                    if (isUnknown) return
                    if (!join.isPending) join.reset()
                    choose(plan)
                  }}
                >
                  Join {name}
                </button>
              ) : (
                <Membership of={own} onLeave={() => leave({ plan, subscription: own })} />
              )}
            </li>
          )
        })}
      </ul>
      {isUnknown && chosen === undefined && <JoinProblem join={join} />}
      <Dialog title={`Join ${chosen?.name}`} isOpen={chosen !== undefined} onClose={close}>
        {chosen && <JoinPlan plan={chosen} wallet={wallet} join={join} onClose={close} />}
      </Dialog>
      <Dialog title={`Leave ${leaving?.plan.name}?`} isOpen={leaving !== undefined} onClose={close}>
        {leaving && <LeavePlan {...leaving} onClose={close} />}
      </Dialog>
    </div>
  )
}

function Price({ of: { amount, interval } }: { of: Plan }) {
  return (
    <p>
      <span className="money">{formatUsd({ cents: amount.cents })}</span>{' '}
      <span className="quiet">{perInterval[interval]}</span>
    </p>
  )
}

function Membership({ of, onLeave }: { of: Joined; onLeave: () => void }) {
  const { status, nextPaymentAt } = of
  return (
    <div className="pay-head">
      <p role="status">
        <span className={status === 'Active' ? 'tag tag-good' : 'tag'}>
          {status === 'Active' ? 'You are in' : 'On hold'}
        </span>{' '}
        {nextPaymentAt && <span className="quiet">Next payment on {dayOf(nextPaymentAt)}</span>}
      </p>
      <button type="button" className="link-button" onClick={onLeave}>
        Cancel membership
      </button>
    </div>
  )
}

const dayOf = (instant: string) => new Date(instant).toLocaleDateString('en-US', { dateStyle: 'long' })

const hasEnded: ReadonlySet<string> = new Set(['Canceled', 'Expired', 'Concluded'])

export const perInterval = {
  Daily: 'a day',
  Weekly: 'a week',
  Monthly: 'a month',
  Yearly: 'a year',
} as const

function LeavePlan(props: { plan: Plan; subscription: Joined; onClose: () => void }) {
  const { plan, subscription, onClose } = props
  const leave = useMutation({
    mutationFn: () => askShop(`/subscriptions/${encodeURIComponent(subscription.id)}`, { method: 'DELETE' }),
    onSuccess: onClose,
  })
  return (
    <div className="stack">
      <p>Your membership in {plan.name} ends now, and your card is not charged again.</p>
      {leave.error && <Problem title="You are still a member." error={leave.error} />}
      <button
        type="button"
        className="button button-wide"
        aria-disabled={leave.isPending}
        onClick={() => leave.isPending || leave.mutate()}
      >
        {leave.isPending && <span className="spinner" aria-hidden="true" />}
        Cancel my membership
      </button>
      <button type="button" className="button button-plain button-wide" onClick={onClose}>
        Stay a member
      </button>
    </div>
  )
}
