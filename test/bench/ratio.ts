import { performance } from 'node:perf_hooks'

/**
 * How many times as often `ours` runs as `theirs`, side by side: short turns in alternation, median of the ratios.
 *
 * Turns are long enough for the clock and short enough that a busy machine disturbs both sides alike.
 */
export function ratio(options: {
  ours: (turn: number) => unknown
  theirs: (turn: number) => unknown
  turns?: number
}): number {
  const { ours, theirs, turns = 41 } = options
  const size = calibrate(theirs)
  for (let warm = 0; warm < 3; warm++) {
    time(ours, size)
    time(theirs, size)
  }
  const ratios: number[] = []
  for (let turn = 0; turn < turns; turn++) {
    // Whoever goes first is swapped, so that neither side always runs on the other's warm caches.
    const first = turn % 2 === 0 ? time(ours, size) : time(theirs, size)
    const second = turn % 2 === 0 ? time(theirs, size) : time(ours, size)
    ratios.push(turn % 2 === 0 ? second / first : first / second)
  }
  ratios.sort((a, b) => a - b)
  return ratios[Math.floor(ratios.length / 2)] ?? Number.NaN
}

/** Runs per turn so that a turn takes at least about 20 ms. */
function calibrate(run: (turn: number) => unknown): number {
  let size = 8
  while (time(run, size) < 20) size *= 2
  return size
}

let sink: unknown

function time(run: (turn: number) => unknown, size: number): number {
  const started = performance.now()
  for (let turn = 0; turn < size; turn++) sink = run(turn)
  const elapsed = performance.now() - started
  // The result is used, so that no run can be optimised away.
  if (sink === ratio) throw new Error('A measured function returned the bench itself.')
  return elapsed
}
