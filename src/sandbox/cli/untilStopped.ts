import { printError } from './printError.ts'

/**
 * Starts something and lets it run until Ctrl+C or SIGTERM: what is under way is finished first. A signal while it starts takes the
 * start back; a second signal ends the process at once.
 *
 * @param options.start calls `step` between its steps, which throws once a signal has come
 * @param options.onStarted told what runs; when it fails, what runs is stopped
 * @param options.stopped what is said at the end
 */
export async function untilStopped<running extends { stop: () => Promise<void> }>(options: {
  start: (step: () => void) => Promise<running>
  onStarted: (running: running) => void | Promise<void>
  stopped: string
}): Promise<void> {
  let stop: (() => Promise<void>) | undefined
  let signalled: NodeJS.Signals | undefined
  const end = (signal: NodeJS.Signals) => {
    if (signalled !== undefined) process.exit(exitCodeOf(signal))
    signalled = signal
    const first = stop === undefined ? 'What has been started is closed' : 'What is under way is finished'
    console.error(`Stopping. ${first} first; press Ctrl+C again to end at once.`)
    stop?.().then(
      () => console.error(options.stopped),
      (error: unknown) => {
        printError(error)
        process.exitCode = 2
      },
    )
  }
  process.on('SIGINT', end)
  process.on('SIGTERM', end)
  const step = () => {
    if (signalled !== undefined) throw new StartStoppedError()
  }
  const started = await options.start(step).catch((error: unknown) => {
    // Ctrl+C reaches the chains' processes, too: whatever fails of a start that is stopped, fails because of that.
    if (signalled === undefined) throw error
    return undefined
  })
  if (signalled !== undefined || started === undefined) {
    await started?.stop()
    process.exitCode = exitCodeOf(signalled ?? 'SIGTERM')
    console.error('Stopped before it was up.')
    return
  }
  stop = started.stop
  try {
    await options.onStarted(started)
  } catch (error) {
    await stop()
    throw error
  }
}

/** As a shell says that a signal ended a process. */
function exitCodeOf(signal: NodeJS.Signals): number {
  return signal === 'SIGINT' ? 130 : 143
}

/** Ends a start, for no fault of it. */
class StartStoppedError extends Error {
  override readonly name = 'StartStoppedError'
}
