import type { ReactNode } from 'react'

/**
 * Something that a visitor should know at once.
 *
 * @param props.isCare nothing has failed: something is open, or in between
 */
export function Problem(props: {
  title: string
  isCare?: boolean
  children: ReactNode
  actions?: ReactNode
}) {
  const { title, isCare = false, children, actions } = props
  return (
    <div className={isCare ? 'problem problem-care' : 'problem'} role="alert">
      <div>
        <p className="problem-title">{title}</p>
        <p>{children}</p>
      </div>
      {actions && <div className="problem-actions">{actions}</div>}
    </div>
  )
}
