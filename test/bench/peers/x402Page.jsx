import { useMutation } from '@tanstack/react-query'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch'
import { useConnection, useWalletClient } from 'wagmi'
import { showPage } from '../shop/showPage.tsx'

/** A payment of USDC by x402: the page pays for a request to the seller. */
function Pay() {
  const { address } = useConnection()
  const { data: wallet } = useWalletClient()
  const { mutate, data, error } = useMutation({
    mutationFn: async () => {
      const client = new ExactEvmScheme({
        address,
        signTypedData: (message) => wallet.signTypedData(message),
      })
      const pay = wrapFetchWithPaymentFromConfig(fetch, {
        schemes: [{ network: 'eip155:*', client }],
        spendControls: { maxAmountPerPayment: '$10' },
      })
      const response = await pay(window.settings.sellerUrl)
      if (!response.ok) throw new Error(await response.text())
      return response.json()
    },
  })
  if (data) return <p>{`Paid. Thank you. ${data.hash}`}</p>
  return (
    <>
      {error && <p role="alert">{error.message}</p>}
      <button type="button" disabled={!wallet} onClick={() => mutate()}>
        Pay
      </button>
    </>
  )
}

showPage(<Pay />)
