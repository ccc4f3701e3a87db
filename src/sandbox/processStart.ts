import { readFileSync } from 'node:fs'
import { attempt } from '../redeemkit/core/attempt.ts'

/**
 * Returns when a process started, in kernel ticks, to distinguish it from a later process with the same id.
 *
 * @returns `gone` if the process has ended, even as a zombie; undefined if the system provides no start times
 */
export function processStart(pid: number): string | 'gone' | undefined {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM means that the process is running and belongs to another user.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return 'gone'
  }
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields?.[0] === 'Z' ? 'gone' : fields?.[19]
}
