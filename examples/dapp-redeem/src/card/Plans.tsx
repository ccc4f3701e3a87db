import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatUsd, getSavedCards, PaymentOutcomeUnknownError, userMessage } from 'redeemkit'
import { usePlans, useRedeemkit, useSubscribe } from 'redeemkit/react'
import { useConnection } from 'wagmi'
import { useShop } from '../config.tsx'
import { Problem } from '../payment/Problem.tsx'
import { hrefOf } from '../routes.ts'
import { askShop, readSessionKey } from '../shopServer.ts'

type Joined = { planCode: string; status: string; nextPaymentAt?: string }

/** Lists the shop's plans and the member's subscriptions. */
export function Plans() {
  const { address: wallet } = useConnection()
  const { blockchain } = useShop()
  const { client } = useRedeemkit()
  const queries = useQueryClient()
  const plans = usePlans()
  const cards = useQuery({
    queryKey: ['lampfall-cards', wallet],
    queryFn: () => getSavedCards(client.with({ sessionKey: readSessionKey }), { wallet, blockchain }),
  })
  const joinedKey = ['lampfall-joined', wallet]
  const joined = useQuery({
    queryKey: joinedKey,
    queryFn: () => askShop<Joined[]>('/shop-api/getCustomerSubscriptions'),
  })
  const join = useSubscribe({
    mutation: { onSettled: () => queries.invalidateQueries({ queryKey: joinedKey }) },
  })
  const [chosen, choose] = useState<string>()
  const card = cards.data?.at(-1)
  const error = plans.error ?? cards.error ?? joined.error
  // While the outcome is unknown, the member must not pay again.
  const isUnknown = join.error instanceof PaymentOutcomeUnknownError
  if (error)
    return (
      <Problem
        title="The plans cannot be shown."
        error={error}
        actions={
          <button
            type="button"
            className="button button-plain button-small"
            onClick={() => Promise.all([plans.refetch(), cards.refetch(), joined.refetch()])}
          >
            Try again
          </button>
        }
      >
        {userMessage(error, { about: 'other' })}
      </Problem>
    )
  if (plans.data === undefined || cards.data === undefined || joined.data === undefined)
    return <p role="status">Looking through the book of members…</p>
  return (
    <div className="stack">
      <ul className="stack">
        {plans.data.map(({ code, name, description, amount, interval }) => {
          const own = joined.data.find(({ planCode, status }) => planCode === code && status === 'Active')
          const isJoining = join.isPending && chosen === code
          return (
            <li key={code} className="card stack">
              <div className="pay-head">
                <h2>{name}</h2>
                <p>
                  <span className="money">{formatUsd({ cents: amount.cents })}</span>{' '}
                  <span className="quiet">{perInterval[interval]}</span>
                </p>
              </div>
              <p>{description}</p>
              {own ? (
                <p role="status">
                  <span className="tag tag-good">You are in</span>{' '}
                  {own.nextPaymentAt && (
                    <span className="quiet">
                      Next payment on{' '}
                      {new Date(own.nextPaymentAt).toLocaleDateString('en-US', { dateStyle: 'long' })}
                    </span>
                  )}
                </p>
              ) : card === undefined ? null : (
                <button
                  type="button"
                  className="button button-wide"
                  aria-disabled={join.isPending || isUnknown}
                  onClick={() => {
                    if (join.isPending || isUnknown) return
                    choose(code)
                    join.subscribe({
                      planCode: code,
                      token: card.token,
                      chargebackProtectionData: [
                        { productName: name, productType: 'subscription', quantity: 1 },
                      ],
                    })
                  }}
                >
                  {isJoining && <span className="spinner" aria-hidden="true" />}
                  {isJoining ? 'Joining' : `Join with the card that ends in ${card.lastFour}`}
                </button>
              )}
            </li>
          )
        })}
      </ul>
      {card === undefined && (
        <Problem
          isCare
          title="You have no card with us yet."
          actions={
            <a className="button button-plain button-small" href={hrefOf({ page: 'credits' })}>
              Buy credits
            </a>
          }
        >
          Buy credits by card once, and let the form keep it. Then come back and join.
        </Problem>
      )}
      {join.challenge ? (
        <Problem
          isCare
          title="Your bank needs to confirm it’s you."
          actions={
            <>
              <a
                className="button button-plain button-small"
                href={join.challenge.url}
                target="_blank"
                rel="noreferrer"
              >
                Open your bank
              </a>
              <button type="button" className="button button-small" onClick={join.completeChallenge}>
                I have confirmed it
              </button>
            </>
          }
        >
          {join.userMessage}
        </Problem>
      ) : (
        join.error && (
          <Problem
            title={isUnknown ? 'We’re still confirming your payment.' : 'You have not joined.'}
            error={join.error}
          >
            {join.userMessage}
          </Problem>
        )
      )}
    </div>
  )
}

const perInterval = { Daily: 'a day', Weekly: 'a week', Monthly: 'a month', Yearly: 'a year' } as const
