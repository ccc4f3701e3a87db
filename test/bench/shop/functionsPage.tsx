import { useMutation, useQuery } from '@tanstack/react-query'
import { checkRedeem, createPaymentsClient, redeem } from 'redeemkit'
import { useConnection, usePublicClient } from 'wagmi'
import { showPage } from './showPage.tsx'

/** Uses the plain functions, to measure their size without the hooks. */
function Redeem() {
  const { address, connector } = useConnection()
  const publicClient = usePublicClient()
  const { settings } = window
  const client = createPaymentsClient({
    baseUrl: settings.baseUrl,
    merchantId: settings.merchantId,
    blockchain: 'base',
    environment: 'sandbox',
  })
  const options = {
    wallet: address,
    publicClient,
    purchaseId: settings.purchaseId,
    storage: localStorage,
    pinned: settings.pinned,
    subtotal: { cents: 1000 },
    ...(settings.usdcCents > 0 && { usdcAmount: { cents: settings.usdcCents } }),
    transactionData: { type: 'token' as const, destination: settings.shop },
  }
  const { data: ready } = useQuery({
    queryKey: ['ready', address],
    enabled: connector !== undefined,
    retry: false,
    queryFn: async () => {
      // The query runs only if a connector is set.
      const signer = (await connector?.getProvider()) as Parameters<typeof redeem>[1]['signer']
      return { signer, check: await checkRedeem(client, options) }
    },
  })
  const { mutate, data, error } = useMutation({
    mutationFn: ({ signer, check }: NonNullable<typeof ready>) =>
      redeem(client, { ...options, signer, ready: check }),
  })
  if (data !== undefined) return <p>{`Paid. Thank you. ${data.hash}`}</p>
  return (
    <>
      {error && <p role="alert">{error.message}</p>}
      <button type="button" disabled={ready === undefined} onClick={() => ready && mutate(ready)}>
        Pay
      </button>
    </>
  )
}

showPage(<Redeem />)
