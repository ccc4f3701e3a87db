import { useCallback, useEffect, useRef, useState } from 'react'

/** A click is accepted only after the window was visible, focused and unchanged for this long. */
const armingMs = 500

/**
 * Protects a button from a click meant for something else, such as the second half of a double click on a page.
 *
 * @param shown what the window shows. Any change of it disarms the button, like a blur or a hidden window
 * @returns whether the button is armed, and whether an event at a time (`event.timeStamp`) comes late enough. The second one also holds
 * when a busy window delivers an early click late
 */
export function useArmed(shown: string): { isArmed: boolean; isLateEnough: (timeStamp: number) => boolean } {
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
