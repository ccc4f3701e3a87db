'use client'
import { useEffect, useRef } from 'react'
import { mountPurchase } from '../cardForm/mountPurchase.ts'
import type { Environment } from '../core/blockchains.ts'

/**
 * Shows the service's card form. The form takes the card, shows the bank's challenge (3DS), and calls `onSuccess` with the payment id once
 * the funds have settled. The page never sees the card. Needs no provider; see `mountPurchase` for the options.
 *
 * @param props.env `sandbox` or `prod`: the form is shown only for a service of this environment
 * @param props.className class of the surrounding element, for its width, its margins, and the form's CSS variables (`--purchase-accent`)
 * @throws InvalidOptionError to the nearest error boundary, naming the prop; InvalidOrderIdError
 * @see PROTOCOL.md 10.3 and 10.8
 * @example
 * ```tsx
 * import { SvcPurchase } from 'redeemkit/react'
 * export const Pay = (props: { sessionKey: string; checkoutJwtToken: string }) => (
 *   <SvcPurchase
 *     {...props}
 *     env="sandbox"
 *     baseUrl="http://localhost:3000"
 *     merchantId="shop"
 *     onSuccess={(paymentId) => console.log('settled', paymentId)}
 *   />
 * )
 * ```
 */
export function SvcPurchase({ env, className, ...others }: SvcPurchase.Props) {
  const place = useRef<HTMLDivElement>(null)
  const form = useRef<mountPurchase.ReturnType>(undefined)
  const options: mountPurchase.Options = { ...others, ...(env !== undefined && { environment: env }) }
  const latest = useRef(options)
  useEffect(() => {
    if (place.current === null) return
    const mounted = mountPurchase(place.current, latest.current)
    form.current = mounted
    return () => {
      form.current = undefined
      mounted.unmount()
    }
  }, [])
  // Runs after every render; `update` ignores unchanged options.
  useEffect(() => {
    latest.current = options
    form.current?.update(options)
  })
  return <div ref={place} className={className} />
}

export declare namespace SvcPurchase {
  type Props = WithoutEnvironment<mountPurchase.Options> & {
    env?: Environment | undefined
    className?: string | undefined
  }
  type ErrorType = mountPurchase.ErrorType
}

/** Omits `environment` from each member of the union: either the page or the JWT names the order. */
type WithoutEnvironment<options> = options extends unknown ? Omit<options, 'environment'> : never
