import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { toJson } from 'redeemkit'
import type { Approval, Requests } from '../messages.ts'
import type { Place } from './Approvals.tsx'
import { Brand, Icon } from './Icon.tsx'
import { Origin } from './Origin.tsx'
import { Frame, Problem } from './parts.tsx'
import { useText } from './useText.tsx'
import { useAction, useWorker } from './useWorker.tsx'

type Answer = Omit<Requests['approve']['ask'], 'id'>

/**
 * The frame of a request: who asks, its place in the queue, and the buttons. "Reject" has the focus at first and after every change.
 *
 * @param props.approveText `undefined` for a request that cannot be approved: it has no such button
 * @param props.answer what the click on that button sends; `undefined` as long as something is missing
 */
export function Request(props: {
  approval: Approval
  place: Place
  titleId: string
  /** What the wallet knows about the requesting site. */
  known?: ReactNode
  /** Shown above the buttons. */
  signer?: ReactNode
  approveText: string | undefined
  /** Whether the approval is the main button. */
  isSafe: boolean
  answer: Answer | undefined
  children: ReactNode
}) {
  const { approval, place, answer, titleId } = props
  const { text } = useText()
  const { ask } = useWorker()
  const { run, isRunning, failure } = useAction()
  const [isAnswered, setAnswered] = useState(false)
  const shown = toJson(approval)
  const { isArmed, isLateEnough } = useArmed(shown)
  const reject = useRef<HTMLButtonElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves when what is shown changes
  useEffect(() => reject.current?.focus(), [shown])
  const isWaiting = isRunning || isAnswered
  const isOpen = !isWaiting && isArmed && answer !== undefined
  const finish = (answering: () => Promise<unknown>) => {
    if (isAnswered) return
    run(async () => {
      await answering()
      // Until the worker's next list, which is without it.
      setAnswered(true)
    })
  }
  return (
    // An alert dialog: with the focus on "Reject", a screen reader says who asks for what.
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
            {place.fromSameSite > 1 && approval.asker.kind === 'site' && (
              <button
                type="button"
                className="link-button small"
                onClick={() => finish(() => ask('reject', { id: approval.id, isForAllOfSite: true }))}
              >
                {text('rejectAll', { count: place.fromSameSite })}
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

/** A click is accepted only after the window was visible, focused and unchanged for this long. */
const armingMs = 500

/**
 * Protects a button from a click meant for something else, such as the second half of a double click on a page.
 *
 * @param shown what the window shows. Any change of it disarms the button, like a blur or a hidden window
 * @returns whether the button is armed, and whether an event at a time (`event.timeStamp`) comes late enough. The second one also holds
 * when a busy window delivers an early click late
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
