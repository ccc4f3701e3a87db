/** One row of the benchmark: an object that `--json` prints. */
export type Row = {
  figure: string
  value: number
  /** `null` if the figure has no goal and is only observed. */
  goal: number | null
  better: 'higher' | 'lower'
  unit: string
  /** Median deviation of the measurements from `value`, in percent. Absent if they are always equal. */
  noise?: number
  /** Parts of the value, largest first. */
  parts?: readonly Part[]
}

export type Part = { name: string; bytes: number }

/** A named measurement that yields one or more rows. */
export type Figure = {
  name: string
  /** One line of explanation below the table. */
  about: string
  /** Whether the figure takes minutes, so that it is measured only if it is named. */
  isLong?: boolean
  measure: (progress: (text: string) => void) => Promise<readonly Row[]>
}
