/** What the house bills its members. The number is the order id: each bill is paid once, ever. */
export type Bill = {
  number: string
  title: string
  note: string
  cents: number
}

export const bills: readonly Bill[] = [
  {
    number: '2041',
    title: 'Lamp oil, winter term',
    note: 'Your share of the light in the reading room.',
    cents: 1840,
  },
  {
    number: '2042',
    title: 'Framing of three plates',
    note: 'Ash frames, plain glass, picked up on Thursday.',
    cents: 4600,
  },
  {
    number: '2047',
    title: 'Late return, “Moths of the Inner Harbour”',
    note: 'Nine nights at fifty cents.',
    cents: 450,
  },
]
