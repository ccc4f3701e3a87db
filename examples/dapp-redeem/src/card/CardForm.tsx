import { useQuery } from '@tanstack/react-query'
import { SvcPurchase } from 'redeemkit/react'
import { useShop } from '../config.tsx'
import { askShop, readSessionKey } from '../orders.ts'
import { Problem } from '../payment/Problem.tsx'
import { useTheme } from '../ThemeToggle.tsx'

/**
 * Shows the payments service's card form, for a checkout JWT of the shop's server.
 *
 * @param props.checkout an order, or a check of the card that charges nothing
 */
export function CardForm(props: {
  checkout: { orderId: string } | { isCardCheck: true }
  wallet: `0x${string}`
  onSuccess?: () => void
  onAuthorized?: () => void
}) {
  const { checkout, wallet, onSuccess, onAuthorized } = props
  const shop = useShop()
  const colorScheme = useTheme()
  const pinned = useQuery({
    queryKey: ['lampfall-checkout', checkout, wallet],
    queryFn: () =>
      askShop<{ checkoutJwtToken: string }>('/shop-api/createCheckoutJwt', {
        method: 'POST',
        body: checkout,
      }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (pinned.error)
    return (
      <Problem
        title="The card form cannot be shown."
        onTryAgain={() => void pinned.refetch()}
        error={pinned.error}
      />
    )
  if (pinned.data === undefined) return <p role="status">Loading the card form…</p>
  return (
    <>
      <SvcPurchase
        className="card-form"
        baseUrl={shop.baseUrl}
        merchantId={shop.merchantId}
        env={shop.environment}
        sessionKey={readSessionKey}
        wallet={wallet}
        blockchain={shop.blockchain}
        checkoutJwtToken={pinned.data.checkoutJwtToken}
        offersSaving
        theme={{ colorScheme, ...(colorScheme === 'dark' && { variables: night }) }}
        onSuccess={onSuccess}
        onAuthorized={onAuthorized}
      />
      {shop.testWalletKey && (
        <p className="pay-note">
          Test cards: <span className="code">4000 0099 0000 0012</span> is accepted,{' '}
          <span className="code">4000 0099 0000 0053</span> asks for a confirmation first.
        </p>
      )}
    </>
  )
}

const night = {
  '--purchase-background': '#191630',
  '--purchase-field': '#100e20',
  '--purchase-text': '#ebe8f8',
  '--purchase-faint': '#aaa4cc',
  '--purchase-border': '#7b74a6',
}
