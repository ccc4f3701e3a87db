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
