/** What the shop bills its members. */
export type Bill = {
  number: string
  /** When it was made: numbers begin anew with each year, so that it takes both to tell a bill. */
  month: string
  title: string
  note: string
  cents: number
}

export const bills: readonly Bill[] = [
  {
    number: '2041',
    month: '2026-11',
    title: 'Lamp oil, winter term',
    note: 'Your share of the light in the reading room.',
    cents: 1840,
  },
  {
    number: '2042',
    month: '2026-11',
    title: 'Framing of three plates',
    note: 'Ash frames, plain glass, picked up on Thursday.',
    cents: 4600,
  },
  {
    number: '2047',
    month: '2026-11',
    title: 'Late return, “Moths of the Inner Harbour”',
    note: 'Nine nights at fifty cents.',
    cents: 450,
  },
]
