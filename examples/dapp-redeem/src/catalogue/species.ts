/** A species of the catalogue. Its number, price and edition are those of the contract, which decides. */
export type Species = {
  /** Of the contract, from 1 on. */
  number: number
  slug: string
  name: string
  latin: string
  cents: number
  edition: number
  /** One sentence for the catalogue, in the tone of the shop. */
  story: string
  habits: string
}

export const allSpecies: readonly Species[] = [
  {
    number: 1,
    slug: 'lamplighter',
    name: 'Lamplighter',
    latin: 'Lucerna vesperalis',
    cents: 1200,
    edition: 240,
    story: 'The first one out. It settles on a lamp before anybody has lit it.',
    habits: 'Seen at dusk, on tram stops and tall windows.',
  },
  {
    number: 2,
    slug: 'moon-ferry',
    name: 'Moon Ferry',
    latin: 'Luna portitor',
    cents: 2450,
    edition: 96,
    story: 'Long tails, slow wings. It crosses a lake only when the moon lies in it.',
    habits: 'Seen over still water, never in pairs.',
  },
  {
    number: 3,
    slug: 'velvet-clerk',
    name: 'Velvet Clerk',
    latin: 'Noctua scribens',
    cents: 800,
    edition: 480,
    story: 'Eats nothing but the margins of old ledgers, and leaves the sums alone.',
    habits: 'Seen in archives, on the left page.',
  },
  {
    number: 4,
    slug: 'ember-widow',
    name: 'Ember Widow',
    latin: 'Favilla vidua',
    cents: 3600,
    edition: 48,
    story: 'Carries the glow of a fire that went out a year ago.',
    habits: 'Seen near cold chimneys, in the first frost.',
  },
  {
    number: 5,
    slug: 'tide-reader',
    name: 'Tide Reader',
    latin: 'Aestus lector',
    cents: 1850,
    edition: 144,
    story: 'The bands on its wings move outwards, very slowly, twice a day.',
    habits: 'Seen on harbour lights, facing the sea.',
  },
  {
    number: 6,
    slug: 'paper-ghost',
    name: 'Paper Ghost',
    latin: 'Charta spectralis',
    cents: 500,
    edition: 900,
    story: 'So thin that the lamp shines through it. Most people notice only its shadow.',
    habits: 'Seen in reading rooms, just after closing.',
  },
]

/** The species that a specimen's number on the chain says. */
export function speciesOfSpecimen(id: bigint): Species | undefined {
  return allSpecies.find(({ number }) => BigInt(number) === id / 1000n)
}
