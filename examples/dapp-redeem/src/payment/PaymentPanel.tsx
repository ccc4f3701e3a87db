import { useEffect, useId, useRef, useState } from 'react'
import { formatUsd, InsufficientFundsError, UserRejectedError } from 'redeemkit'
import type { RedeemButtonView } from 'redeemkit/wagmi'
import { hrefOf } from '../routes.ts'
import { describeStep, PaymentSteps, type Prompts } from './PaymentSteps.tsx'
import { Problem } from './Problem.tsx'
import { SplitControl } from './SplitControl.tsx'

export type Purchase = { title: string; cents: number; usdcCents: number }

/** Shows a purchase with its button, in every state before the receipt. Only renders its props. */
export function PaymentPanel(props: {
  purchase: Purchase
  button: RedeemButtonView
  has: { creditsCents: number; usdcCents: number } | undefined
  isOnline: boolean
  onUsdcCents: (cents: number) => void
  onClick: () => void
  onConnect: () => void
  onCancel: () => void
}) {
  const { purchase, button, has, isOnline, onUsdcCents, onClick, onConnect, onCancel } = props
  const { title, cents, usdcCents } = purchase
  const { step, signing, network } = button
  const id = useId()
  const [isAmountValid, setAmountValid] = useState(true)
  const { place, expectResult } = useReturn(button.error)
  const prompts = promptsOf(purchase, button)
  const running = describeStep(step, { network, prompts })
  const isRunning = running !== undefined
  const isSigningShown = signing !== undefined && !isRunning && isAmountValid
  return (
    <section className="card stack" aria-labelledby={id}>
      <div className="pay-head">
        <h2 id={id}>{title}</h2>
        <span className="money">{formatUsd({ cents })}</span>
      </div>
      {/* After a signature, the split can no longer change. */}
      <SplitControl
        cents={cents}
        usdcCents={usdcCents}
        has={has}
        isLocked={isRunning || step === 'open'}
        onChange={onUsdcCents}
        onValid={setAmountValid}
      />
      {isSigningShown && <Sums signing={signing} usdcCents={usdcCents} />}
      {isSigningShown && (
        <div className="message">
          <h3>{prompts.length === 2 ? 'What you sign (2 signatures)' : 'What you sign'}</h3>
          <p>{signing.text}</p>
        </div>
      )}
      {(step === 'switchingChain' || step === 'waitingForOther') && (
        <p className="message">{running?.text}</p>
      )}
      {isRunning && <PaymentSteps step={step} network={network} prompts={prompts} />}
      {button.canCancel && (
        <button type="button" className="link-button" onClick={onCancel}>
          Cancel
        </button>
      )}
      <div ref={place} className="stack">
        {!isRunning && step !== 'done' && <Trouble button={button} isOnline={isOnline} />}
        <PayButton
          button={button}
          held={isOnline ? (isAmountValid ? undefined : 'Check the amount') : 'Waiting for your connection'}
          onClick={() => {
            expectResult()
            onClick()
          }}
          onConnect={onConnect}
        />
      </div>
      <p className="for-ears" role="status">
        {running?.text}
      </p>
    </section>
  )
}

/** Shows the error after a click, and returns the focus from the wallet's window to the button. */
function useReturn(error: Error | null) {
  const place = useRef<HTMLDivElement>(null)
  const wasClicked = useRef(false)
  useEffect(() => {
    if (error === null || !wasClicked.current) return
    wasClicked.current = false
    place.current?.scrollIntoView({ block: 'nearest' })
    place.current?.querySelector<HTMLElement>(':scope > button')?.focus({ preventScroll: true })
  }, [error])
  return {
    place,
    expectResult: () => {
      wasClicked.current = true
    },
  }
}

/** Returns the wallet's prompts. For a payment that was checked before a reload, the split decides which prompts are missing. */
function promptsOf({ usdcCents }: Purchase, { prompts }: RedeemButtonView): Prompts {
  if (prompts.length > 0) return prompts
  return usdcCents > 0 ? ['creditPermit', 'usdcAuthorization'] : ['creditPermit']
}

function Sums(props: { signing: NonNullable<RedeemButtonView['signing']>; usdcCents: number }) {
  const { credits, usdc, fee, most } = props.signing
  const lines: [string, string][] = [
    ['From your credits', credits],
    ...(props.usdcCents > 0 ? [['From your USDC', usdc] as [string, string]] : []),
    ['Maximum network fee, from your credits', fee],
  ]
  return (
    <dl className="sums">
      {lines.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="money">{value}</dd>
        </div>
      ))}
      <div className="total">
        <dt>You pay at most</dt>
        <dd className="money">{most}</dd>
      </div>
    </dl>
  )
}

/** Shows what went wrong or is pending, and what to do. */
function Trouble(props: { button: RedeemButtonView; isOnline: boolean }) {
  const { button, isOnline } = props
  const { step, error, userMessage, network } = button
  if (step === 'open')
    return (
      <Problem isCare title="A payment for this order is open." error={error}>
        {userMessage ??
          'You have already signed this payment, and it may be on its way. Resuming it will not charge you twice.'}
      </Problem>
    )
  if (!isOnline)
    return (
      <Problem isCare title="You are offline.">
        Nothing is lost. This page continues when you are back online.
      </Problem>
    )
  if (userMessage !== undefined)
    return (
      <Problem
        title={titleOf(step, error)}
        error={error}
        actions={
          error instanceof InsufficientFundsError &&
          error.asset === 'credits' && (
            <a className="button button-plain button-small" href={hrefOf({ page: 'credits' })}>
              Buy credits
            </a>
          )
        }
      >
        {userMessage}
      </Problem>
    )
  if (step === 'wrongChain')
    return (
      <Problem isCare title="Your wallet is on another network.">
        This payment is on {network}. Your wallet will ask you to switch first.
      </Problem>
    )
  return null
}

function titleOf(step: RedeemButtonView['step'], error: unknown): string {
  if (step === 'failed') return 'This payment is not possible right now.'
  return error instanceof UserRejectedError ? 'Payment not completed.' : 'Something went wrong.'
}

function PayButton(props: {
  button: RedeemButtonView
  /** The reason why a click does nothing: offline, a signed redeem could not be submitted. */
  held: string | undefined
  onClick: () => void
  onConnect: () => void
}) {
  const { button, held, onClick, onConnect } = props
  const { step } = button
  const canClick = button.canClick && held === undefined
  if (step === 'notConnected')
    return (
      <button type="button" className="button button-wide" onClick={onConnect}>
        {button.label}
      </button>
    )
  return (
    <button
      type="button"
      className="button button-wide"
      // A button with `disabled` would lose the focus.
      aria-disabled={!canClick}
      onClick={() => {
        if (canClick) onClick()
      }}
    >
      {!button.canClick && <span className="spinner" aria-hidden="true" />}
      {button.canClick ? (held ?? button.label) : button.label}
    </button>
  )
}
