import { readdirSync, readFileSync } from 'node:fs'

export function anvilProcess(): { cpuMs: number; residentBytes: number } | undefined {
  try {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const stat = processStat(pid)
      if (stat?.name === 'anvil' && stat.parent === process.pid) return stat
    }
  } catch {
    // Other operating systems have no `/proc`.
  }
  return undefined
}

type Stat = { name: string; parent: number; cpuMs: number; residentBytes: number }

/** The ID of the main thread is the process ID. */
export function mainThreadCpuMs(): number | undefined {
  return processStat(`self/task/${process.pid}`)?.cpuMs
}

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
    return undefined
  }
}
