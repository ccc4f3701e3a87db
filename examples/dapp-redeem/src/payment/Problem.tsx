import type { ReactNode } from 'react'
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
