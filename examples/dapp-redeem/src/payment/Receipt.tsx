import { type ReactNode, useEffect, useRef } from 'react'
import { formatUsd } from 'redeemkit'
import type { RedeemButtonView } from 'redeemkit/wagmi'

/**
 * @param props.isFresh whether the payment was just made on this page; the receipt then takes the focus
 * @param props.explorerUrl URL of the transaction in a block explorer, if one supports the chain
 * @param props.localUrl URL of the transaction at the payments service on this machine, for chains without an explorer
 */
export function Receipt(props: {
  title: string
  data: PaidRedeem
  isFresh: boolean
  explorerUrl: string | undefined
  localUrl: string
  received?: ReactNode
  orderState?: ReactNode
  actions: ReactNode
}) {
  const { title, data, isFresh, explorerUrl, localUrl, received, orderState, actions } = props
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isFresh) heading.current?.focus()
  }, [isFresh])
  return (
    <section className="receipt" aria-labelledby="receipt-title">
      <div className="receipt-head">
        <span className="tick" aria-hidden="true">
          ✓
        </span>
        <h2 id="receipt-title" ref={heading} tabIndex={-1}>
          {title}
        </h2>
      </div>
      {orderState}
      {received}
      <dl className="sums">
        {linesOf(data).map(([name, value]) => (
          <div key={name} className={name === total ? 'total' : undefined}>
            <dt>{name}</dt>
            <dd className="money">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="quiet">
        <a href={explorerUrl ?? localUrl} target="_blank" rel="noreferrer">
          {explorerUrl === undefined ? 'View it at the payments service' : 'View it on the block explorer'}
        </a>
        <br />
        <span className="code">{data.hash}</span>
      </p>
      <div className="receipt-actions">{actions}</div>
    </section>
  )
}

/** In dollars. Contracts with random nonces report only token movements. */
function linesOf({ outcome }: PaidRedeem): [string, string][] {
  if (outcome === undefined) return []
  if (!('charged' in outcome))
    return outcome.movements
      .filter(({ standard, direction }) => standard === 'ERC-20' && direction !== 'in')
      .map(({ direction, amount }) => [direction === 'paid' ? 'Paid' : 'From your USDC', formatUsd(amount)])
  const { usdcAmount, charged, gasFee, refunded } = outcome
  const lines: [string, bigint][] = [
    ['From your USDC', usdcAmount],
    ['From your credits', charged - gasFee],
    ['Network fee, from your credits', gasFee],
    ['Back to your credits', -refunded],
    [total, usdcAmount + charged - refunded],
  ]
  return lines.filter(([, value]) => value !== 0n).map(([name, value]) => [name, formatUsd(value)])
}

const total = 'You paid'

export type PaidRedeem = NonNullable<RedeemButtonView['data']>
