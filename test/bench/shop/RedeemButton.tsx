import { useRedeem } from 'redeemkit/react'

export function RedeemButton(order: useRedeem.Parameters) {
  const { step, canPress, press, signing, data, explorerUrl, userMessage } = useRedeem(order)
  return (
    <section>
      <p>{signing?.text}</p>
      <button type="button" disabled={!canPress} onClick={press}>
        {canPress ? `Pay (${step})` : step}
      </button>
      <p role="status">{data && 'Paid. Thank you.'}</p>
      <p role="alert">{userMessage}</p>
      {explorerUrl && <a href={explorerUrl}>Transaction</a>}
    </section>
  )
}
