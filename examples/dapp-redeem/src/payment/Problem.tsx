import type { ReactNode } from 'react'
import { verificationLinkOf } from 'redeemkit'

/**
 * @param props.isCare true for a caution, false for a failure
 * @param props.error the error. If the service wants to verify the visitor, its link is shown with its host
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
