/** One row of the benchmark: an object that `--json` prints. */
export type Row = {
  figure: string
  value: number
  /** `null` for a figure without a goal, which is only observed. */
  goal: number | null
  better: 'higher' | 'lower'
  unit: string
  /** Median deviation of the turns from `value`, in percent. Absent if every run measures the same. */
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
  /** It takes minutes, and is measured only when it is named. */
  isLong?: boolean
  measure: (progress: (text: string) => void) => Promise<readonly Row[]>
}
