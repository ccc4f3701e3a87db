import { useMutation } from '@tanstack/react-query'
import { userMessage } from 'redeemkit'
import { Problem } from '../payment/Problem.tsx'
import { askShop } from '../shopServer.ts'
import type { Joined, Plan } from './Plans.tsx'

/** Asks before a membership is canceled. */
export function LeavePlan(props: { plan: Plan; subscription: Joined; onClose: () => void }) {
  const { plan, subscription, onClose } = props
  const leave = useMutation({
    mutationFn: () => askShop(`/subscriptions/${encodeURIComponent(subscription.id)}`, { method: 'DELETE' }),
    onSuccess: onClose,
  })
  return (
    <div className="stack">
      <p>Your membership in {plan.name} ends now, and your card is not charged again.</p>
      {leave.error && (
        <Problem title="You are still a member.">{userMessage(leave.error, { about: 'other' })}</Problem>
      )}
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
