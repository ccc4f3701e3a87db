import { printError } from './printError.ts'

/**
 * Runs a service until Ctrl+C, SIGTERM or the end of npm, then lets it finish pending work. A second signal exits immediately.
 *
 * @param options.start calls `step` between its steps; `step` throws after a signal, which cancels the start
 * @param options.onStarted called after the start; if it fails, the service is stopped
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
    const first = stop === undefined ? 'Closing the parts that have started' : 'Finishing pending work'
    console.error(`Stopping. ${first}. Press Ctrl+C again to exit immediately.`)
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
  onNpmEnd(() => end('SIGTERM'))
  const step = () => {
    if (signalled !== undefined) throw new StartStoppedError()
  }
  const started = await options.start(step).catch((error: unknown) => {
    // After a signal, the failure comes from the cancelled start.
    if (signalled === undefined) throw error
    return undefined
  })
  if (signalled !== undefined || started === undefined) {
    await started?.stop()
    process.exitCode = exitCodeOf(signalled ?? 'SIGTERM')
    console.error('Stopped before the start was complete.')
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

/**
 * npm and npx send SIGTERM only to their shell. When the shell ends, this process gets a new parent. If a program such as `tsx` runs in
 * between, the parent stays the same, so npm's scripts use `node --import tsx`.
 */
function onNpmEnd(end: () => void): void {
  if (process.env.npm_command === undefined) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    end()
  }, 500)
  timer.unref()
}

function exitCodeOf(signal: NodeJS.Signals): number {
  return signal === 'SIGINT' ? 130 : 143
}

class StartStoppedError extends Error {
  override readonly name = 'StartStoppedError'
}
