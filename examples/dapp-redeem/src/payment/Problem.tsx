import type { ReactNode } from 'react'
import { userMessage, verificationLinkOf } from 'redeemkit'

/**
 * @param props.isCare true for a caution, false for a failure
 * @param props.error the error. If the service wants to verify the visitor, its link is shown with its host
 * @param props.children the text. Default: the user message of an error that is not about a payment
 */
export function Problem(props: {
  title: string
  isCare?: boolean
  error?: unknown
  children?: ReactNode
  actions?: ReactNode
  onTryAgain?: () => void
}) {
  const { title, isCare = false, error, children, actions, onTryAgain } = props
  const link = verificationLinkOf(error)
  return (
    <div className={isCare ? 'problem problem-care' : 'problem'} role="alert">
      <div>
        <p className="problem-title">{title}</p>
        <p>{children ?? userMessage(error, { about: 'other' })}</p>
      </div>
      {(actions || onTryAgain || link !== undefined) && (
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
          {onTryAgain && (
            <button type="button" className="button button-plain button-small" onClick={onTryAgain}>
              Try again
            </button>
          )}
          {actions}
        </div>
      )}
    </div>
  )
}
