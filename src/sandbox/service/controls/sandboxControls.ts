import type { RequestLogEntry } from '../../requestLog.ts'
import type { MovableClock } from '../../store/movableClock.ts'
import { problem } from '../http/problem.ts'
import { createFaults, type Faults } from './faults.ts'

export type SandboxControls = {
  clock: MovableClock
  faults: Faults
  log: {
    add: (entry: RequestLogEntry) => void
    /** Newest first. */
    list: (limit: number) => RequestLogEntry[]
  }
}

const keptEntries = 1000

export function createSandboxControls(clock: MovableClock): SandboxControls {
  const entries: RequestLogEntry[] = []
  return {
    clock,
    faults: createFaults(),
    log: {
      add: (entry) => {
        entries.push(entry)
        if (entries.length > keptEntries) entries.shift()
      },
      list: (limit) => entries.slice(-limit).reverse(),
    },
  }
}

export function sandboxControlsOf({
  sandboxControls,
}: {
  sandboxControls: SandboxControls | undefined
}): SandboxControls {
  if (sandboxControls !== undefined) return sandboxControls
  throw problem('NOT_FOUND', 'The path does not exist: the sandbox controls are disabled.')
}
