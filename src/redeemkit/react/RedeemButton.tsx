'use client'
import { type CSSProperties, type ReactNode, useRef } from 'react'
import { speakButton } from '../core/userMessage/buttonEnglish.ts'
import { verificationLinkOf } from '../core/userMessage/verificationLinkOf.ts'
import { useRedeemkit } from './RedeemkitProvider.tsx'
import { useRedeem } from './useRedeem.ts'

/**
 * Renders a complete redeem button in the kit's language: signing text, button, cancel button, message and transaction link. Style it with
 * CSS variables. Each part has a `data-redeem` attribute, and the root element has `data-step`.
 *
 * For your own markup, pass a function as `children`, or use `useRedeem`.
 *
 * @param props the purchase, as for `useRedeem`; `onConnect` makes the button clickable without a wallet
 * @throws InvalidOptionError without a kit; UnknownNetworkError for an unknown `chainId`
 * @see PROTOCOL.md 7.5, 7.7
 * @example
 * ```tsx
 * import { RedeemButton } from 'redeemkit/react'
 * export const Pay = ({ orderId }: { orderId: string }) => (
 *   <RedeemButton
 *     purchaseId={orderId}
 *     subtotal={{ cents: 1000 }}
 *     transactionData={{ type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }}
 *   />
 * )
 * ```
 */
export function RedeemButton({ className, onConnect, children, ...purchase }: RedeemButton.Props) {
  const redeem = useRedeem(purchase)
  const { messages } = useRedeemkit(purchase)
  const button = useRef<HTMLButtonElement>(null)
  if (children !== undefined) return children(redeem)
  const { step, label, signing, elsewhere, explorerUrl, userMessage } = redeem
  const onClick = step === 'notConnected' ? onConnect : redeem.canClick ? redeem.onClick : undefined
  const isBusy = onClick === undefined && step !== 'notConnected' && step !== 'done'
  const link = verificationLinkOf(redeem.error)
  const cancel = () => {
    redeem.cancel()
    // The cancel button disappears, so move the focus.
    button.current?.focus()
  }
  return (
    <div className={className} data-step={step}>
      {signing && <p data-redeem="signing">{signing.text}</p>}
      {elsewhere.map(({ code, message }) => (
        <p key={code + message} data-redeem="warning">
          {message}
        </p>
      ))}
      <button
        type="button"
        ref={button}
        data-redeem="button"
        style={buttonStyle}
        // A disabled button would lose the focus.
        aria-disabled={onClick === undefined}
        aria-busy={isBusy}
        onClick={onClick}
      >
        {label}
      </button>
      {redeem.canCancel && (
        <button type="button" data-redeem="cancel" onClick={cancel}>
          {speakButton(messages, 'button.cancel')}
        </button>
      )}
      <p role="status" style={screenReaderOnly}>
        {(isBusy || step === 'done') && label}
      </p>
      <p role="alert" data-redeem="message" style={messageStyle}>
        {userMessage} {link && <a href={link}>{new URL(link).host}</a>}
      </p>
      {explorerUrl && (
        <a data-redeem="receipt" href={explorerUrl}>
          {speakButton(messages, 'button.receipt')}
        </a>
      )}
    </div>
  )
}

export declare namespace RedeemButton {
  type Props = useRedeem.Parameters & {
    className?: string | undefined
    /** Connects a wallet. Called on a click if no wallet is connected. */
    onConnect?: (() => void) | undefined
    /** Renders your own markup instead. */
    children?: ((redeem: useRedeem.ReturnType) => ReactNode) | undefined
  }
  type ErrorType = useRedeem.ErrorType
}

/** Reads a CSS variable of the page. If it is not set, the page's and the browser's styles apply. */
const own = (name: string) => `var(--redeem-${name}, revert-layer)`

const buttonStyle: CSSProperties = {
  background: own('background'),
  color: own('color'),
  border: own('border'),
  borderRadius: own('radius'),
  padding: own('padding'),
  font: own('font'),
}
const messageStyle: CSSProperties = { color: own('message-color') }
/** For screen readers only, because the button shows the same text. */
const screenReaderOnly: CSSProperties = {
  position: 'absolute',
  width: 1,
  height: 1,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
}
