import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatUsd, getSavedCards, PaymentOutcomeUnknownError } from 'redeemkit'
import { useRedeemkit, type useSubscribe } from 'redeemkit/react'
import { useShop } from '../config.tsx'
import { readSessionKey } from '../orders.ts'
import { Problem } from '../payment/Problem.tsx'
import { CardForm } from './CardForm.tsx'
import { type Plan, perInterval } from './Plans.tsx'

type Join = useSubscribe.ReturnType

/** Asks before the first payment of a plan. Takes a card if the member has none or wants to use a different one. */
export function JoinPlan(props: { plan: Plan; wallet: `0x${string}`; join: Join; onClose: () => void }) {
  const { plan, wallet, join, onClose } = props
  const { blockchain } = useShop()
  const { client } = useRedeemkit()
  const queries = useQueryClient()
  const cards = useQuery({
    queryKey: ['lampfall-cards', wallet],
    queryFn: () => getSavedCards(client.with({ sessionKey: readSessionKey }), { wallet, blockchain }),
  })
  /** `again`: the previous card was not saved. */
  const [cardForm, showCardForm] = useState<'first' | 'again'>()
  const card = cards.data?.at(-1)
  if (cards.error) return <Problem title="Your cards cannot be shown." error={cards.error} />
  if (cards.data === undefined) return <p role="status">Loading your cards…</p>
  if (card === undefined || cardForm !== undefined)
    return (
      <div className="stack">
        {cardForm === 'again' && (
          <Problem title="Your card was not saved.">
            Choose “Save this card” in the form, so that we can charge your card {perInterval[plan.interval]}.
          </Problem>
        )}
        <p>
          Choose “Save this card”. To check the card, your bank authorizes $1.00, which is released
          immediately. We ask you again before we charge the card.
        </p>
        <CardForm
          checkout={{ isCardCheck: true }}
          wallet={wallet}
          onAuthorized={async () => {
            const { data = [] } = await cards.refetch()
            queries.removeQueries({ queryKey: ['lampfall-checkout', { isCardCheck: true }] })
            showCardForm(data.length > cards.data.length ? undefined : 'again')
          }}
        />
      </div>
    )
  const price = formatUsd({ cents: plan.amount.cents })
  const isUnknown = join.error instanceof PaymentOutcomeUnknownError
  return (
    <div className="stack">
      <p>
        Your card that ends in {card.lastFour} is charged {price} now, and {price}{' '}
        {perInterval[plan.interval]} until you cancel.
      </p>
      <JoinProblem join={join} />
      {!join.challenge && (
        <button
          type="button"
          className="button button-wide"
          aria-disabled={join.isPending || isUnknown}
          onClick={() => {
            if (join.isPending || isUnknown) return
            join.subscribe({
              planCode: plan.code,
              token: card.token,
              chargebackProtectionData: [
                { productName: plan.name, productType: 'subscription', quantity: 1 },
              ],
            })
          }}
        >
          {join.isPending && <span className="spinner" aria-hidden="true" />}
          Pay {price} and join
        </button>
      )}
      {!join.isPending && !isUnknown && (
        <button
          type="button"
          className="button button-plain button-wide"
          onClick={() => showCardForm('first')}
        >
          Use another card
        </button>
      )}
      <button type="button" className="button button-plain button-wide" onClick={onClose}>
        Not now
      </button>
    </div>
  )
}

/** Shows the bank's challenge, or the reason why the member has not joined. */
export function JoinProblem({ join }: { join: Join }) {
  const { challenge, error, userMessage: message, completeChallenge } = join
  if (challenge)
    return (
      <Problem
        isCare
        title="Your bank needs to confirm it’s you."
        actions={
          <>
            <a
              className="button button-plain button-small"
              href={challenge.url}
              target="_blank"
              rel="noreferrer"
            >
              Open your bank
            </a>
            <button type="button" className="button button-small" onClick={completeChallenge}>
              I have confirmed it
            </button>
          </>
        }
      >
        {message}
      </Problem>
    )
  if (error === null) return null
  return (
    <Problem
      title={
        error instanceof PaymentOutcomeUnknownError
          ? 'We’re still confirming your payment.'
          : 'You have not joined.'
      }
      error={error}
    >
      {message}
    </Problem>
  )
}
