import { performance } from 'node:perf_hooks'

export type Row = {
  figure: string
  value: number
  /** `null` if the figure is only observed. */
  goal: number | null
  better: 'higher' | 'lower'
  unit: string
  /** Median deviation of the measurements from `value`, in percent. Absent if all measurements are equal. */
  noise?: number
  parts?: readonly Part[]
}

export type Part = { name: string; bytes: number }

export type Figure = {
  name: string
  about: string
  /** The figure takes minutes, so it is measured only if it is named. */
  isLong?: boolean
  measure: (progress: (text: string) => void) => Promise<readonly Row[]>
}

type Run = (turn: number) => unknown

/** `noise` is the median deviation from the median, in percent. */
export type Measured = { value: number; noise: number }

/**
 * Returns how many times faster `ours` runs than `theirs`. Turns alternate, and are so short that a busy machine disturbs both sides
 * alike.
 */
export async function ratio(options: { ours: Run; theirs: Run; turns?: number }): Promise<Measured> {
  const { ours, theirs, turns = 41 } = options
  const size = await calibrate(theirs)
  for (let warm = 0; warm < 5; warm++) {
    await time(ours, size)
    await time(theirs, size)
  }
  const ratios: number[] = []
  for (let turn = 0; turn < turns; turn++) {
    // Alternate, so that neither side always benefits from the other's warm caches.
    const oursFirst = turn % 2 === 0
    const first = await time(oursFirst ? ours : theirs, size)
    const second = await time(oursFirst ? theirs : ours, size)
    ratios.push(oursFirst ? second / first : first / second)
  }
  const { value, noise } = medianOf(ratios)
  return { value: Math.round(value * 100) / 100, noise }
}

/** Runs per second on this machine. For observation, not for comparison. */
export async function perSecond(run: Run, turns = 21): Promise<Measured> {
  const size = await calibrate(run)
  const speeds: number[] = []
  for (let turn = 0; turn < turns; turn++) speeds.push((size / (await time(run, size))) * 1000)
  const { value, noise } = medianOf(speeds)
  return { value: Math.round(value), noise }
}

export function medianOf(values: readonly number[]): Measured {
  const value = middle(values)
  const noise = middle(values.map((one) => Math.abs(one - value)))
  return { value, noise: Math.round((noise / value) * 100) }
}

const middle = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** A turn must take at least about 20 ms. */
async function calibrate(run: Run): Promise<number> {
  let size = 8
  while ((await time(run, size)) < 20) size *= 2
  return size
}

async function time(run: Run, size: number): Promise<number> {
  let last: unknown
  const started = performance.now()
  for (let turn = 0; turn < size; turn++) {
    last = run(turn)
    if (last instanceof Promise) last = await last
  }
  const elapsed = performance.now() - started
  // V8 could optimise away runs without a used result.
  if (last === undefined) throw new Error('A measured function must return something.')
  return elapsed
}
