import { useEffect, useState } from 'react'

/** How long a person may look for a prompt before they are told where it may be. */
const patienceMs = 20_000

/**
 * What is shown while the wallet does not answer: where to look, and a way out. To start again is safe: what was not signed is left, and
 * what a wallet answers too late is not sent.
 */
export function NoAnswer({ onStartAgain }: { onStartAgain: () => void }) {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patienceMs)
    return () => clearTimeout(timer)
  }, [])
  if (!isLate) return null
  return (
    <p className="words" role="status">
      Your wallet has not answered yet. Open it to go on: its request may be behind this window, or in its
      app.{' '}
      <button type="button" className="link-button" onClick={onStartAgain}>
        Start again
      </button>
    </p>
  )
}
