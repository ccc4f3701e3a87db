import type { ReactNode } from 'react'

/** Numbers from 0 to below 1 that depend only on the seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Drawing of a species: its right half, which is mirrored. The body is at x = 0. */
export type Wings = {
  fore: string
  hind: string
  colours: { fore: string; hind: string; edge: string; body: string; vein: string }
  opacity?: number
  /** The pattern on the wings, clipped to their outlines. `random` varies it per specimen. */
  foreMarks: (random: () => number) => ReactNode
  hindMarks: (random: () => number) => ReactNode
}

const between = (random: () => number, low: number, high: number) => low + random() * (high - low)
const times = (count: number, draw: (index: number) => ReactNode) =>
  Array.from({ length: count }, (_, index) => draw(index))

function Eye(props: { x: number; y: number; r: number; ring: string; iris: string }) {
  const { x, y, r, ring, iris } = props
  return (
    <g>
      <circle cx={x} cy={y} r={r} fill={ring} />
      <circle cx={x} cy={y} r={r * 0.66} fill={iris} />
      <circle cx={x} cy={y} r={r * 0.36} fill="#14112b" />
      <circle cx={x + r * 0.12} cy={y - r * 0.14} r={r * 0.12} fill="#fff" />
    </g>
  )
}

function Bands(props: { radii: readonly number[]; colour: string; width: number; y: number }) {
  const { radii, colour, width, y } = props
  return radii.map((radius) => (
    <circle key={radius} cx="0" cy={y} r={radius} fill="none" stroke={colour} strokeWidth={width} />
  ))
}

const lamplighter: Wings = {
  fore: 'M4-18C28-56 70-80 106-74C109-52 94-18 66 1C44 9 20 4 4-3Z',
  hind: 'M4-3C28 3 52 2 67 5C80 25 71 55 46 63C26 62 10 36 4 10Z',
  colours: { fore: '#f2a93b', hind: '#f7c766', edge: '#8a3f1d', body: '#7a3a1c', vein: '#a8541f' },
  foreMarks: (random) => (
    <>
      <Bands y={-14} radii={[between(random, 30, 36), 104]} colour="#8a3f1d" width={7} />
      <Eye x={68} y={-44} r={between(random, 9, 13)} ring="#fff0c2" iris="#c2471c" />
    </>
  ),
  hindMarks: (random) => (
    <>
      <Bands y={0} radii={[66]} colour="#c2471c" width={between(random, 8, 14)} />
      <Eye x={42} y={31} r={between(random, 7, 10)} ring="#fff0c2" iris="#3b2a5e" />
    </>
  ),
}

const moonFerry: Wings = {
  fore: 'M4-19C30-60 74-72 112-62C100-42 85-15 62-3C42 5 20 3 4-3Z',
  hind: 'M4-3C28-1 50-2 58 6C67 25 55 44 50 58C46 74 60 88 52 104C42 110 34 96 33 80C29 62 13 40 4 12Z',
  colours: { fore: '#b9e3c6', hind: '#cfeeda', edge: '#4a2f63', body: '#f1f4e4', vein: '#8fc3a3' },
  foreMarks: (random) => (
    <>
      <path d="M4-19C30-60 74-72 112-62" fill="none" stroke="#6d3f7d" strokeWidth={between(random, 5, 8)} />
      <Eye x={58} y={-38} r={between(random, 5, 8)} ring="#6d3f7d" iris="#f4d35e" />
    </>
  ),
  hindMarks: (random) => (
    <>
      <Eye x={38} y={22} r={between(random, 5, 8)} ring="#6d3f7d" iris="#f4d35e" />
      <Bands y={2} radii={[between(random, 46, 54)]} colour="#9fd2b3" width={3} />
    </>
  ),
}

const velvetClerk: Wings = {
  fore: 'M4-18C22-42 60-64 96-56C100-40 86-12 60 5C40 12 18 8 4 1Z',
  hind: 'M4 1C22 8 44 8 57 11C63 29 53 49 34 53C18 50 8 30 4 10Z',
  colours: { fore: '#7d4a77', hind: '#c9a3b4', edge: '#34183a', body: '#3d1f43', vein: '#5c3159' },
  foreMarks: (random) =>
    times(6, (line) => (
      <circle
        key={line}
        cx="0"
        cy="-12"
        r={26 + line * 13}
        fill="none"
        stroke="#f1dbc4"
        strokeWidth="3.4"
        strokeLinecap="round"
        strokeDasharray={times(4, () => `${between(random, 1, 11).toFixed(1)} 7`).join(' ')}
      />
    )),
  hindMarks: (random) => (
    <Bands y={4} radii={[between(random, 26, 32), between(random, 46, 52)]} colour="#8c5b78" width={5} />
  ),
}

const emberWidow: Wings = {
  fore: 'M4-17C26-58 66-86 102-80C101-69 109-62 105-52C97-46 101-34 91-29C85-17 77-9 66 1C44 9 20 6 4 0Z',
  hind: 'M4 0C30 3 56 0 69 4C75 14 66 22 71 31C62 37 65 49 54 53C46 55 45 65 34 65C18 57 8 32 4 12Z',
  colours: { fore: '#4a4458', hind: '#2c2738', edge: '#191524', body: '#221d30', vein: '#6b6379' },
  foreMarks: (random) => (
    <>
      <Bands y={-14} radii={[46, 88]} colour="#2f2a3d" width={between(random, 5, 10)} />
      {times(7, (spot) => (
        <circle
          key={spot}
          cx={between(random, 26, 96)}
          cy={between(random, -66, -8)}
          r={between(random, 1, 2.6)}
          fill="#ff8a4c"
        />
      ))}
    </>
  ),
  hindMarks: (random) => (
    <>
      <Bands y={4} radii={[between(random, 28, 34)]} colour="#ff5a36" width={10} />
      <Bands y={4} radii={[between(random, 48, 54)]} colour="#ffb14a" width={5} />
    </>
  ),
}

const tideReader: Wings = {
  fore: 'M4-18C22-60 62-90 97-79C113-60 101-24 68 0C44 9 20 5 4-2Z',
  hind: 'M4-2C30 3 54 2 70 6C85 28 73 61 46 67C22 64 8 36 4 10Z',
  colours: { fore: '#2f6f9f', hind: '#4fa3b8', edge: '#123553', body: '#dbe7e4', vein: '#24577f' },
  foreMarks: (random) => {
    const first = between(random, 24, 34)
    return (
      <>
        <Bands y={-14} radii={[first, first + 32, first + 64]} colour="#e8f3ef" width={3} />
        <Bands y={-14} radii={[first + 16, first + 48, first + 80]} colour="#7fc4cf" width={6} />
      </>
    )
  },
  hindMarks: (random) => {
    const first = between(random, 18, 26)
    return (
      <>
        <Bands y={2} radii={[first, first + 28]} colour="#e8f3ef" width={3} />
        <Bands y={2} radii={[first + 14, first + 42]} colour="#1d4f73" width={5} />
      </>
    )
  },
}

const paperGhost: Wings = {
  fore: 'M4-18C34-52 66-70 101-70C102-50 85-20 60-2C40 7 20 5 4-3Z',
  hind: 'M4-3C24 1 48 0 61 4C71 22 61 51 40 57C20 54 8 32 4 10Z',
  colours: { fore: '#f3f0ff', hind: '#e3def7', edge: '#b9b1dc', body: '#d8d2ef', vein: '#b9b1dc' },
  opacity: 0.82,
  foreMarks: (random) =>
    times(5, (spot) => (
      <ellipse
        key={spot}
        cx={30 + spot * 15}
        cy={-22 - spot * 9}
        rx={between(random, 2, 6)}
        ry={between(random, 2, 4)}
        fill="#c9c1e8"
      />
    )),
  hindMarks: (random) => (
    <Bands y={2} radii={[between(random, 40, 48)]} colour="#c9c1e8" width={between(random, 1, 3)} />
  ),
}

/** Wings by the species' number, which starts at 1. */
export const allWings: readonly Wings[] = [
  lamplighter,
  moonFerry,
  velvetClerk,
  emberWidow,
  tideReader,
  paperGhost,
]
