import { type MouseEvent, type ReactNode, useId } from 'react'
import { Icon } from './Icon.tsx'
import { useText } from './useText.tsx'

/** Shows the frame of a window. Head and foot stay visible while the body scrolls. */
export function Frame(props: { head?: ReactNode; foot?: ReactNode; children: ReactNode }) {
  return (
    <div className="window">
      {props.head !== undefined && <header className="window-head">{props.head}</header>}
      {/* Focusable, so that the user can scroll it with the keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <main className="window-body" tabIndex={0}>
        {props.children}
      </main>
      {props.foot !== undefined && <footer className="window-foot">{props.foot}</footer>}
    </div>
  )
}

/** Shows a button that keeps its focus while it is disabled. */
export function Button(props: {
  children: ReactNode
  onClick?: (event: MouseEvent) => void
  isPrimary?: boolean
  isSlim?: boolean
  isDisabled?: boolean
  type?: 'button' | 'submit'
  label?: string
}) {
  const { isPrimary = false, isSlim = false, isDisabled = false, type = 'button', onClick } = props
  const look = `button${isPrimary ? ' primary' : ''}${isSlim ? ' slim' : ''}`
  return (
    <button
      type={type}
      className={look}
      aria-disabled={isDisabled}
      aria-label={props.label}
      onClick={(event) => {
        if (isDisabled) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {props.children}
    </button>
  )
}

export function Field(props: {
  label: string
  hint?: ReactNode
  problem?: string | undefined
  children: (control: { id: string; 'aria-describedby': string; 'aria-invalid': boolean }) => ReactNode
}) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{props.label}</label>
      {props.children({
        id,
        'aria-describedby': `${id}-hint`,
        'aria-invalid': props.problem !== undefined,
      })}
      <div id={`${id}-hint`}>
        {props.hint !== undefined && <div className="hint">{props.hint}</div>}
        {props.problem !== undefined && <div className="problem">{props.problem}</div>}
      </div>
    </div>
  )
}

const noteIcons = { care: 'warning', bad: 'stop', good: 'check', plain: 'info' } as const

export function Note(props: { tone?: 'care' | 'bad' | 'good' | 'plain'; children: ReactNode }) {
  const { tone = 'plain' } = props
  return (
    <div className={`note ${tone}`}>
      <Icon name={noteIcons[tone]} />
      <div>{props.children}</div>
    </div>
  )
}

/** Shows the problem of the last action, and announces it to screen readers. */
export function Problem(props: { text: string | undefined }) {
  return <div role="alert">{props.text !== undefined && <Note tone="bad">{props.text}</Note>}</div>
}

export function Address(props: { address: string; name?: string | undefined }) {
  const { address, name } = props
  const short = `${address.slice(0, 6)}…${address.slice(-4)}`
  return (
    <span title={address}>
      {name !== undefined && <>{name} </>}
      <span className="code">{short}</span>
    </span>
  )
}

/**
 * Returns an origin as text that is different for every site: without `https://`, and letters of other scripts as ASCII (`xn--…`).
 */
export function originText(origin: string): string {
  if (!URL.canParse(origin)) return origin
  const { protocol, host } = new URL(origin)
  return protocol === 'https:' ? host : `${protocol}//${host}`
}

/** Shows the requesting site. Its name is never shortened, because the end of the name shows who owns the site. */
export function Origin(props: { origin: string }) {
  const { text } = useText()
  const shown = originText(props.origin)
  return (
    <>
      <bdi className="origin" dir="ltr">
        {shown}
      </bdi>
      {/(?:^|[./])xn--/.test(shown) && <Note tone="care">{text('origin.otherScript')}</Note>}
      {/^http:/.test(shown) && !thisMachine.test(shown) && <Note tone="care">{text('origin.plain')}</Note>}
    </>
  )
}

const thisMachine = /^http:\/\/(?:localhost|[^/]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/
