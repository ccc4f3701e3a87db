import { type ReactNode, useEffect, useRef, useState } from 'react'
import { toJson } from 'redeemkit'
import type { Approval, Requests } from '../messages.ts'
import type { Place } from './Approvals.tsx'
import { Brand, Icon } from './Icon.tsx'
import { Origin } from './Origin.tsx'
import { Frame, Problem } from './parts.tsx'
import { useArmed } from './useArmed.ts'
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
