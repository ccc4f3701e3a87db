/** One row of the bench: what `--json` prints as an object. */
export type Row = {
  figure: string
  value: number
  /** `null` when the figure is there to be watched and has no goal. */
  goal: number | null
  better: 'higher' | 'lower'
  unit: string
  /** How far half of the turns lie from `value`, in percent of it; not for what every run measures alike. */
  noise?: number
  /** What the value is made of, the largest first. */
  parts?: readonly Part[]
}

export type Part = { name: string; bytes: number }

/** A named measurement that yields one or more rows. */
export type Figure = {
  name: string
  /** One line for a reader of the table. */
  about: string
  /** It takes minutes, and is measured only when it is named. */
  isLong?: boolean
  measure: (progress: (text: string) => void) => Promise<readonly Row[]>
}
