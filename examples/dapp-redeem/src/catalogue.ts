import { safeMint } from 'redeemkit/evm'
import { parseAbi } from 'viem'

/** A species in the catalogue. Number, price and edition repeat the contract's values, which take precedence. */
export type Species = {
  /** Number in the contract, from 1. */
  number: number
  slug: string
  name: string
  latin: string
  cents: number
  edition: number
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

/** A specimen's token id is `species * 1000 + number`. */
export function speciesOfSpecimen(id: bigint): Species | undefined {
  return allSpecies.find(({ number }) => BigInt(number) === id / 1000n)
}

/** The functions of `contracts/MothCabinet.sol` that the page calls. */
export const cabinetAbi = parseAbi([
  'function collect(uint256 number) returns (uint256 id)',
  'function specimensOf(address owner) view returns (uint256[])',
  'function species(uint256 number) view returns (uint256 price, uint256 edition, uint256 sold)',
  'error SoldOut(uint256 species)',
])

/** Builds the call that a payment for a moth executes: the contract mints the next specimen, at the species' price. */
export function collectMoth(cabinet: `0x${string}`, { number }: Species) {
  return safeMint({ to: cabinet, abi: cabinetAbi, functionName: 'collect', args: [BigInt(number)] })
}

/** Returns a specimen's number within its species, as in `no. 7 of 96`. */
export function serialOf(id: bigint): number {
  return Number(id % 1000n)
}

export type Bill = {
  number: string
  /** Month of issue. Bill numbers restart each year, so only month and number together identify a bill. */
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

/** Credit packs on sale. The page sends only the id; the shop's server knows the price. */
export const creditPacks = [
  { id: 'dusk', cents: 1000, note: 'A Paper Ghost and change' },
  { id: 'evening', cents: 2500, note: 'A Moon Ferry' },
  { id: 'night', cents: 6000, note: 'An Ember Widow and company' },
] as const

export type CreditPack = (typeof creditPacks)[number]
