import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { toJson } from 'redeemkit'
import type { Approval, Requests } from '../messages.ts'
import { Brand, Icon } from './Icon.tsx'
import { Frame, Origin, Problem } from './parts.tsx'
import { useText } from './useText.tsx'
import { useAction } from './useWorker.tsx'

export type Place = { at: number; of: number }

type Answer = Omit<Requests['approve']['ask'], 'id'>

/**
 * "Reject" gets the focus at first and after every change.
 *
 * @param props.approveText text of the button that approves; `undefined` for no such button
 * @param props.answer the message that the button sends; `undefined` while a value is missing
 */
export function Request(props: {
  approval: Approval
  place: Place
  titleId: string
  known?: ReactNode
  signer?: ReactNode
  approveText: string | undefined
  /** Whether the approve button is the primary button. */
  isSafe: boolean
  answer: Answer | undefined
  children: ReactNode
}) {
  const { approval, place, answer, titleId } = props
  const { text } = useText()
  const { ask, run, isRunning, failure } = useAction()
  const [isAnswered, setAnswered] = useState(false)
  const shown = toJson(approval)
  const { isArmed, isLateEnough } = useArmed(shown)
  const reject = useRef<HTMLButtonElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves when what is shown changes
  useEffect(() => reject.current?.focus(), [shown])
  useEffect(() => {
    // A held key must not reject the next requests too.
    const onKey = ({ key, repeat }: KeyboardEvent) => {
      if (key === 'Escape' && !repeat) reject.current?.click()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  const isWaiting = isRunning || isAnswered
  const isOpen = !isWaiting && isArmed && answer !== undefined
  const finish = (answering: () => Promise<unknown>) => {
    if (isAnswered) return
    run(async () => {
      await answering()
      // The worker's next list does not contain the request.
      setAnswered(true)
    })
  }
  return (
    // An alert dialog, so that a screen reader reads the request although "Reject" has the focus.
    <div role="alertdialog" aria-labelledby={`${titleId}-who ${titleId}`} className="request">
      <Frame
        head={
          <>
            <span className="row">
              <Brand />
              <strong>Pocket</strong>
            </span>
            <span role="status" className="badge">
              {place.of > 1 && text('queue', { at: place.at, of: place.of })}
            </span>
          </>
        }
        foot={
          <>
            <Problem text={failure && text(`failure.${failure.code}`)} />
            {props.signer}
            <div className={props.approveText === undefined ? 'stack' : 'side-by-side'}>
              <button
                ref={reject}
                type="button"
                className={`button${props.isSafe ? '' : ' primary'}`}
                aria-disabled={isWaiting}
                onClick={() => finish(() => ask('reject', { id: approval.id }))}
              >
                {text('reject')}
              </button>
              {props.approveText !== undefined && (
                <button
                  type="button"
                  className={`button${props.isSafe ? ' primary' : ''}`}
                  aria-disabled={!isOpen}
                  onClick={({ timeStamp }) => {
                    if (isOpen && isLateEnough(timeStamp))
                      finish(() => ask('approve', { id: approval.id, ...answer }))
                  }}
                >
                  {isRunning ? text('working') : props.approveText}
                </button>
              )}
            </div>
            {approval.isInsistent && (
              <button
                type="button"
                className="link-button small"
                onClick={() => finish(() => ask('reject', { id: approval.id, isForAllOfSite: true }))}
              >
                {text('rejectAll')}
              </button>
            )}
          </>
        }
      >
        <section id={`${titleId}-who`} aria-label={text('asker')} className="asker">
          {approval.asker.kind === 'site' ? (
            <Origin origin={approval.asker.origin} />
          ) : (
            <span className="origin row">
              <Icon name="wallet" /> {text('asker.wallet')}
            </span>
          )}
          {props.known}
        </section>
        {props.children}
      </Frame>
    </div>
  )
}

/** Time for which a window must be visible, focused and unchanged before it accepts a click, in milliseconds. */
const armingMs = 500

/**
 * Protects a button from a click that was meant for something else, such as the second click of a double click on a page.
 *
 * @param shown what the window shows. When it changes, or the window is hidden or loses the focus, the button is disarmed
 * @returns whether the button is armed, and whether an event's `timeStamp` is late enough, even if a busy window delivers it late
 */
function useArmed(shown: string): { isArmed: boolean; isLateEnough: (timeStamp: number) => boolean } {
  const [armed, setArmed] = useState<string>()
  const since = useRef(Number.POSITIVE_INFINITY)
  useEffect(() => {
    let frame = 0
    let timer: ReturnType<typeof setTimeout>
    const disarm = () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
      since.current = Number.POSITIVE_INFINITY
      setArmed(undefined)
    }
    const start = () => {
      disarm()
      if (document.visibilityState !== 'visible' || !document.hasFocus()) return
      // The time starts with an animation frame, because hidden or covered windows draw none.
      frame = requestAnimationFrame(() => {
        since.current = performance.now()
        timer = setTimeout(() => setArmed(shown), armingMs)
      })
    }
    start()
    window.addEventListener('focus', start)
    window.addEventListener('blur', disarm)
    document.addEventListener('visibilitychange', start)
    return () => {
      disarm()
      window.removeEventListener('focus', start)
      window.removeEventListener('blur', disarm)
      document.removeEventListener('visibilitychange', start)
    }
  }, [shown])
  const isLateEnough = useCallback((timeStamp: number) => timeStamp - since.current >= armingMs, [])
  return { isArmed: armed === shown, isLateEnough }
}
