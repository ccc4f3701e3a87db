import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import type { RequestLogEntry } from '../../requestLog.ts'
import type { MovableClock } from '../../store/movableClock.ts'
import { problem } from '../http/problem.ts'

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

const whole = (least: number, most: number) => {
  const expected = `expected a whole number from ${least} to ${most}`
  return z.int(expected).check(z.minimum(least, expected), z.maximum(most, expected))
}

const faultKinds = ['slow', 'lost', 'status'] as const
export const faultStatuses = [402, 429, 451, 500, 502, 503, 504] as const

const share = 'expected a number above 0, at most 1'

/** Body of `POST /sandbox/fault` (PROTOCOL.md 2.10). */
export const faultBody = z.strictObject({
  /** Pattern for the paths of the affected requests, in which `*` matches any text. */
  path: z
    .string()
    .check(
      z.regex(/^\/(api|health)[^\s]{0,200}$/, 'expected a path under /api, in which * matches any text'),
    ),
  method: z.optional(z.enum(['GET', 'POST'])),
  /** `slow`: delays the response. `lost`: breaks the connection instead of responding. `status`: responds with an error. */
  kind: z.enum(faultKinds),
  /** Response status, for `status`. */
  status: z.optional(z.literal(faultStatuses)),
  /** Delay in milliseconds, for `slow`. */
  delayMs: z.optional(whole(1, 600_000)),
  /** The `retry-after` header, for status 429. Default 1. */
  retryAfterSeconds: z.optional(whole(0, 86_400)),
  /** For `lost` and `status`: whether the request is executed anyway. Default: true for `lost`, false for `status`. */
  executes: z.optional(z.boolean()),
  /** Maximum number of times that the fault is triggered. Default: unlimited. */
  times: z.optional(whole(1, 1_000_000)),
  /** Share of the matching requests that are affected, from 0 to 1. Default 1. */
  share: z.optional(z.number(share).check(z.gt(0, share), z.lte(1, share))),
  /** Seed that selects the affected requests. Default 1. */
  seed: z.optional(whole(0, 2 ** 32 - 1)),
})
export type FaultBody = z.infer<typeof faultBody>

export type Fault = FaultBody & { faultId: string; triggered: number }

type Faults = {
  add: (fault: FaultBody) => Fault
  list: () => readonly Fault[]
  /** Clears one fault or, without an id, all. Returns whether a fault was cleared. */
  clear: (faultId?: string) => boolean
  trigger: (request: { method: string; path: string }) => Fault | undefined
  /** Saves the active faults and how often each was triggered. Returns a function that restores them, repeatedly if needed. */
  keep: () => () => void
}

export function createFaults(): Faults {
  let faults: (Fault & { random: { state: number } })[] = []
  return {
    add: (body) => {
      const fault = { ...body, faultId: randomUUID(), triggered: 0, random: { state: body.seed ?? 1 } }
      faults.push(fault)
      return fault
    },
    list: () => faults.map(({ random: _, ...fault }) => fault),
    clear: (faultId) => {
      const kept = faultId === undefined ? [] : faults.filter((fault) => fault.faultId !== faultId)
      const isGone = kept.length < faults.length
      faults = kept
      return isGone
    },
    trigger: ({ method, path }) => {
      for (const fault of faults) {
        if (fault.triggered >= (fault.times ?? Number.POSITIVE_INFINITY)) continue
        if (fault.method !== undefined && fault.method !== method) continue
        if (!matches(fault.path, path)) continue
        // Each matching request consumes a random number, so that a seed always selects the same requests.
        if (nextRandom(fault.random) >= (fault.share ?? 1)) continue
        fault.triggered++
        return fault
      }
      return undefined
    },
    keep: () => {
      const copyOf = (some: typeof faults) => some.map((fault) => ({ ...fault, random: { ...fault.random } }))
      const kept = copyOf(faults)
      return () => {
        faults = copyOf(kept)
      }
    },
  }
}

/** In the pattern, `*` matches any text. A regular expression with many `.*` would backtrack. */
function matches(pattern: string, path: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return path === first
  if (!path.startsWith(first)) return false
  let at = first.length
  for (const part of rest) {
    const found = path.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return path.length - last.length >= at && path.endsWith(last)
}

/** Returns a number in [0, 1) (mulberry32). */
function nextRandom(random: { state: number }): number {
  random.state = (random.state + 0x6d2b79f5) | 0
  const { state } = random
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}
