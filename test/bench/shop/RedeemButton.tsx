import { useRedeem } from 'redeemkit/react'

export function RedeemButton(order: useRedeem.Parameters) {
  const { step, canClick, onClick, signing, data, explorerUrl, userMessage } = useRedeem(order)
  return (
    <section>
      <p>{signing?.text}</p>
      <button type="button" disabled={!canClick} onClick={onClick}>
        {canClick ? `Pay (${step})` : step}
      </button>
      <p role="status">{data && 'Paid. Thank you.'}</p>
      <p role="alert">{userMessage}</p>
      {explorerUrl && <a href={explorerUrl}>Transaction</a>}
    </section>
  )
}
