import { getPaymentStatus, pay } from '@base-org/account/payment/browser'
import { BasePayButton } from '@base-org/account-ui/react'
import { useMutation } from '@tanstack/react-query'
import { showPage } from '../shop/showPage.tsx'

/** Base's own button. Its wallet is a page on the internet, so the bench weighs this page and does not click. */
function Pay() {
  const { mutate, data, error } = useMutation({
    mutationFn: async () => {
      const { id } = await pay({ amount: '10.00', to: window.settings.shop, testnet: true })
      return getPaymentStatus({ id, testnet: true })
    },
  })
  return (
    <>
      {error && <p role="alert">{error.message}</p>}
      {data?.status === 'completed' ? <p>Paid. Thank you.</p> : <BasePayButton onClick={() => mutate()} />}
    </>
  )
}

showPage(<Pay />)
