import { readFileSync } from 'node:fs'

/**
 * When a process started, in the kernel's ticks: tells a process from a later one with the same number.
 *
 * @returns `gone` when it has ended, also before its parent has collected it; undefined where the system does not say more
 */
export function processStart(pid: number): string | 'gone' | undefined {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // A process of another user is alive, too.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return 'gone'
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? 'gone' : fields[19]
  } catch {
    return undefined
  }
}
