import { type ReactNode, useEffect, useState } from 'react'
import { verificationLinkOf } from 'redeemkit'

/**
 * Something that a visitor should know at once.
 *
 * @param props.isCare nothing has failed: something is open, or in between
 * @param props.error what it is about: when the service wants a visitor to be verified, its link is shown, with the host that it leads to
 */
export function Problem(props: {
  title: string
  isCare?: boolean
  error?: unknown
  children: ReactNode
  actions?: ReactNode
}) {
  const { title, isCare = false, error, children, actions } = props
  const link = verificationLinkOf(error)
  return (
    <div className={isCare ? 'problem problem-care' : 'problem'} role="alert">
      <div>
        <p className="problem-title">{title}</p>
        <p>{children}</p>
      </div>
      {(actions || link !== undefined) && (
        <div className="problem-actions">
          {link !== undefined && (
            <a
              className="button button-plain button-small"
              href={link}
              target="_blank"
              rel="noopener noreferrer"
            >
              Get verified at {new URL(link).host}
            </a>
          )}
          {actions}
        </div>
      )}
    </div>
  )
}

/** How long to wait for the wallet before the page shows a hint. */
const patienceMs = 20_000

/**
 * Shown while the wallet does not answer: where to look, and a way out. Starting again is safe, because late signatures are not
 * submitted.
 */
export function NoAnswer({ onStartAgain }: { onStartAgain: () => void }) {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patienceMs)
    return () => clearTimeout(timer)
  }, [])
  if (!isLate) return null
  return (
    <p className="message" role="status">
      Your wallet has not answered yet. Open it to continue: its request may be behind this window, or in its
      app.{' '}
      <button type="button" className="link-button" onClick={onStartAgain}>
        Start again
      </button>
    </p>
  )
}
