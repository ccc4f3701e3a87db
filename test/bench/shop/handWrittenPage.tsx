import { useMutation } from '@tanstack/react-query'
import { useConnection, usePublicClient, useWalletClient } from 'wagmi'
import { showPage } from './showPage.tsx'

/** Written by hand with viem only. It signs what the service sends without any check. */
function Redeem() {
  const { settings } = window
  const { address = '0x' } = useConnection()
  const publicClient = usePublicClient()
  const { data: wallet } = useWalletClient()
  const post = async (path: string, body: object) => {
    const response = await fetch(`${settings.baseUrl}/api/redeem/evm/${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-svc-auth-wallet': address,
        'x-svc-auth-blockchain': 'base',
      },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(await response.text())
    return response.json()
  }
  const sign = (text: string) => {
    const { types, primaryType, domain, message } = JSON.parse(text)
    return wallet?.signTypedData({ types, primaryType, domain, message })
  }
  const { mutate, data, error } = useMutation({
    mutationFn: async () => {
      const request = {
        merchantId: settings.merchantId,
        subtotal: { cents: 1000 },
        transactionData: { type: 'token', destination: settings.shop },
        ...(settings.usdcCents > 0 && { usdcAmount: { cents: settings.usdcCents } }),
      }
      const prepared = await post('creditsAuthMsg', request)
      const { validBefore, nonce, creditsRawAmount, usdcAuthorization } = prepared
      const signedMessages = {
        permitCredits: await sign(prepared.message),
        ...(usdcAuthorization && {
          customerUsdcAuthDataV2: {
            ...usdcAuthorization.messageData,
            signature: await sign(usdcAuthorization.message),
          },
        }),
      }
      const { hash } = await post('sendGaslessTx', {
        ...request,
        signedMessages,
        validBefore,
        nonce,
        creditsRawAmount,
      })
      return publicClient?.waitForTransactionReceipt({ hash })
    },
  })
  if (data?.status === 'success') return <p>Paid. Thank you.</p>
  return (
    <>
      {error && <p role="alert">{error.message}</p>}
      <button type="button" disabled={wallet === undefined} onClick={() => mutate()}>
        Pay
      </button>
    </>
  )
}

showPage(<Redeem />)
