import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatUsd, userMessage } from 'redeemkit'
import { SvcPurchase } from 'redeemkit/react'
import { useConnection } from 'wagmi'
import type { CreditPack } from '../catalogue.ts'
import { useShop } from '../config.tsx'
import { Problem } from '../payment/Problem.tsx'
import { hrefOf } from '../routes.ts'
import { askShop, readSessionKey } from '../shopServer.ts'
import { useTheme } from '../ThemeToggle.tsx'
import { useCardOrder } from './useCardOrder.ts'

/** Sells one pack of credits. The shop's server pins the order, and the payments service's form takes the card. */
export function BuyPack({ pack }: { pack: CreditPack }) {
  const { id, cents } = pack
  const shop = useShop()
  const { address } = useConnection()
  const { orderId, error: orderError, tryAgain, finish, startAnother } = useCardOrder(id, address)
  const [paidOrder, setPaidOrder] = useState<string>()
  const queries = useQueryClient()
  const colorScheme = useTheme()
  const pinned = useQuery({
    queryKey: ['lampfall-checkout', id, orderId, address],
    queryFn:
      orderId === undefined
        ? skipToken
        : () =>
            askShop<{ checkoutJwtToken: string }>('/shop-api/createCheckoutJwt', {
              method: 'POST',
              body: { orderId },
            }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const error = orderError ?? pinned.error
  if (address === undefined) return null
  if (paidOrder !== undefined && paidOrder === orderId)
    return (
      <section className="card receipt" aria-labelledby="credits-bought" role="status">
        <div className="receipt-head">
          <span className="tick" aria-hidden="true">
            ✓
          </span>
          <h2 id="credits-bought">{formatUsd({ cents })} in your wallet</h2>
        </div>
        <p>Your card was charged, and the credits are there.</p>
        <div className="receipt-actions">
          <a className="button" href={hrefOf({ page: 'moths' })}>
            To the moths
          </a>
          <button type="button" className="button button-plain" onClick={startAnother}>
            Buy more
          </button>
        </div>
      </section>
    )
  return (
    <section className="card stack" aria-labelledby="card-title">
      <div className="pay-head">
        <h2 id="card-title">Pay by card</h2>
        <span className="money">{formatUsd({ cents })}</span>
      </div>
      {error && (
        <Problem
          title="The card form cannot be shown."
          actions={
            <button
              type="button"
              className="button button-plain button-small"
              onClick={() => (orderError ? tryAgain() : void pinned.refetch())}
            >
              Try again
            </button>
          }
        >
          {userMessage(error, { about: 'other' })}
        </Problem>
      )}
      {pinned.data ? (
        <SvcPurchase
          className="card-form"
          baseUrl={shop.baseUrl}
          merchantId={shop.merchantId}
          env={shop.environment}
          sessionKey={readSessionKey}
          wallet={address}
          blockchain={shop.blockchain}
          checkoutJwtToken={pinned.data.checkoutJwtToken}
          offersSaving
          theme={{ colorScheme, ...(colorScheme === 'dark' && { variables: night }) }}
          onSuccess={() => {
            setPaidOrder(orderId)
            finish()
            // Refreshes everything that the payment changed, except this order.
            void queries.invalidateQueries({
              predicate: ({ queryKey }) => !isOfOrder.has(String(queryKey[0])),
            })
          }}
        />
      ) : (
        !error && <p role="status">Getting the card form ready…</p>
      )}
      {shop.testWalletKey && (
        <p className="pay-note">
          Of the test cards, <span className="code">4000 0099 0000 0012</span> pays, and{' '}
          <span className="code">4000 0099 0000 0053</span> asks its bank.
        </p>
      )}
    </section>
  )
}

const isOfOrder: ReadonlySet<string> = new Set(['lampfall-card-order', 'lampfall-checkout'])

/** Colors of the card form in dark mode, to match the shop. */
const night = {
  '--purchase-background': '#191630',
  '--purchase-field': '#100e20',
  '--purchase-text': '#ebe8f8',
  '--purchase-faint': '#aaa4cc',
  '--purchase-border': '#7b74a6',
}
