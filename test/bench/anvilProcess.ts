import { readdirSync, readFileSync } from 'node:fs'

/** Finds this process's first Anvil child process in `/proc`; undefined if there is none. */
export function anvilProcess(): { cpuMs: number; residentBytes: number } | undefined {
  try {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const stat = processStat(pid)
      if (stat?.name === 'anvil' && stat.parent === process.pid) return stat
    }
  } catch {
    // `/proc` does not exist on other operating systems.
  }
  return undefined
}

type Stat = { name: string; parent: number; cpuMs: number; residentBytes: number }

/** Returns the CPU time of this process's main thread, whose ID is the process ID. */
export function mainThreadCpuMs(): number | undefined {
  return processStat(`self/task/${process.pid}`)?.cpuMs
}

/** Returns the CPU time and memory of any process. */
export function processStat(pid: string | number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'))
    const rest = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return {
      name,
      parent: Number(rest[1]),
      // In hundredths of a second.
      cpuMs: (Number(rest[11]) + Number(rest[12])) * 10,
      // In pages.
      residentBytes: Number(rest[21]) * 4_096,
    }
  } catch {
    // The process has ended in the meantime.
    return undefined
  }
}
