import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react'
import { toJson } from 'redeemkit'
import type { askWorker } from '../askWorker.ts'
import type { AskFailure, RequestName, Requests } from '../messages.ts'

/** The extension APIs that windows use. Tests pass their own. */
export type Worker = {
  ask: typeof askWorker
  onChanged: (listener: () => void) => () => void
  openSettings: () => void
  closeWindow: () => Promise<void>
  /** Asks the browser for access to a node outside this machine. */
  allowNode: (rpcUrl: string) => Promise<boolean>
}

const Context = createContext<Worker | undefined>(undefined)

export function WorkerProvider(props: { worker: Worker; children: ReactNode }) {
  return <Context value={props.worker}>{props.children}</Context>
}

export function useWorker(): Worker {
  const worker = useContext(Context)
  if (worker === undefined) throw new Error('Wrap this component in WorkerProvider.')
  return worker
}

/**
 * Asks again after every change, and one second after a failure.
 *
 * @throws Error if the worker cannot read its data
 */
export function useAnswer<name extends RequestName>(
  name: name,
  ask: Requests[name]['ask'],
): Requests[name]['answer'] | undefined {
  const worker = useWorker()
  const question = toJson(ask)
  const [answer, setAnswer] = useState<{ question: string; value: Requests[name]['answer'] }>()
  const [isUnreadable, setUnreadable] = useState(false)
  const latest = useRef(ask)
  latest.current = ask
  useEffect(() => {
    let newest = 0
    let timer: ReturnType<typeof setTimeout>
    const read = () => {
      clearTimeout(timer)
      newest += 1
      const own = newest
      worker.ask(name, latest.current).then(
        (value) => {
          if (own === newest) setAnswer({ question, value })
        },
        (error) => {
          if (own !== newest) return
          if (Object(error).code === 'failed') setUnreadable(true)
          else timer = setTimeout(read, 1_000)
        },
      )
    }
    read()
    const stop = worker.onChanged(read)
    return () => {
      newest = -1
      clearTimeout(timer)
      stop()
    }
  }, [worker, name, question])
  if (isUnreadable) throw new Error(`The worker cannot read "${name}".`)
  return answer?.question === question ? answer.value : undefined
}

export type Failure = { code: AskFailure['code']; field: string | undefined }

/** Runs one action at a time, such as `ask`. Stores the reason of a failure until the next action starts. */
export function useAction() {
  const { ask } = useWorker()
  const [isRunning, setRunning] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const busy = useRef(false)
  const run = useCallback(async (action: () => Promise<unknown>) => {
    if (busy.current) return
    busy.current = true
    setRunning(true)
    setFailure(undefined)
    try {
      await action()
    } catch (error) {
      const { code = 'failed', field }: Partial<Failure> = Object(error)
      setFailure({ code, field })
    } finally {
      busy.current = false
      setRunning(false)
    }
  }, [])
  return { ask, run, isRunning, failure }
}
