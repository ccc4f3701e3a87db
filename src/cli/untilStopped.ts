import { errorText } from './errorText.ts'

/**
 * Ends what runs at Ctrl+C or SIGTERM: what is under way is finished first. A second signal ends the process at once.
 *
 * @param options.stopped what is said at the end
 */
export function untilStopped(options: { stop: () => Promise<void>; stopped: string }): void {
  let isStopping = false
  const end = (signal: NodeJS.Signals) => {
    // As a shell says that a signal ended a process.
    if (isStopping) process.exit(signal === 'SIGINT' ? 130 : 143)
    isStopping = true
    console.error('Stopping. What is under way is finished first; press Ctrl+C again to end at once.')
    options.stop().then(
      () => console.error(options.stopped),
      (error: unknown) => {
        console.error(errorText(error))
        process.exitCode = 1
      },
    )
  }
  process.on('SIGINT', end)
  process.on('SIGTERM', end)
}
