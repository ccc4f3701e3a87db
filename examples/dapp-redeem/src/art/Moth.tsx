import { useId } from 'react'
import { allWings, randomOf } from './wings.tsx'

/**
 * Draws a specimen from its number. The species decides form and colours, and the number decides the marks.
 *
 * @param props.title text for screen readers; omit it if adjacent text says the same
 */
export function Moth(props: { species: number; serial?: number; title?: string }) {
  const { species, serial = 0, title } = props
  const id = useId()
  const wings = allWings[species - 1]
  if (wings === undefined) return null
  const { colours, fore, hind, opacity = 1 } = wings
  const random = randomOf(species * 1000 + serial)
  const tilt = (random() - 0.5) * 8
  const foreMarks = wings.foreMarks(random)
  const hindMarks = wings.hindMarks(random)
  const half = (
    <g>
      <g opacity={opacity} transform={`rotate(${-tilt / 2})`}>
        <path d={hind} fill={colours.hind} />
        <g clipPath={`url(#${id}-hind)`}>{hindMarks}</g>
        <path d={hind} fill="none" stroke={colours.edge} strokeWidth="1.6" strokeLinejoin="round" />
      </g>
      <g opacity={opacity} transform={`rotate(${tilt})`}>
        <path d={fore} fill={colours.fore} />
        <g clipPath={`url(#${id}-fore)`}>
          {foreMarks}
          {veins.map((d) => (
            <path key={d} d={d} fill="none" stroke={colours.vein} strokeWidth="0.8" opacity="0.7" />
          ))}
        </g>
        <path d={fore} fill="none" stroke={colours.edge} strokeWidth="1.6" strokeLinejoin="round" />
      </g>
      <path d="M2-30C8-46 20-56 34-58" fill="none" stroke={colours.edge} strokeWidth="1.2" />
      <path
        d="M5-38C11-47 22-55 33-57"
        fill="none"
        stroke={colours.edge}
        strokeWidth="7"
        strokeDasharray="0.8 2"
        opacity="0.8"
      />
    </g>
  )
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: it has one, or is hidden where the text next to it says the same
    <svg className="moth" viewBox="-120 -96 240 212" {...(title ? { role: 'img' } : { 'aria-hidden': true })}>
      {title && <title>{title}</title>}
      <defs>
        <clipPath id={`${id}-fore`}>
          <path d={fore} />
        </clipPath>
        <clipPath id={`${id}-hind`}>
          <path d={hind} />
        </clipPath>
      </defs>
      {half}
      <g transform="scale(-1 1)">{half}</g>
      <ellipse cx="0" cy="18" rx="6.4" ry="28" fill={colours.body} stroke={colours.edge} strokeWidth="1.2" />
      {[2, 12, 22, 32].map((y) => (
        <path
          key={y}
          d={`M-5.4 ${y}Q0 ${y + 3} 5.4 ${y}`}
          fill="none"
          stroke={colours.edge}
          strokeWidth="1.2"
          opacity="0.7"
        />
      ))}
      <ellipse cx="0" cy="-14" rx="9" ry="13.5" fill={colours.body} stroke={colours.edge} strokeWidth="1.2" />
      <circle cx="0" cy="-29" r="5.2" fill={colours.body} stroke={colours.edge} strokeWidth="1.2" />
    </svg>
  )
}

const veins = ['M4-12L104-66', 'M4-10L96-44', 'M4-8L82-20', 'M4-6L62-4', 'M36-40L30-2']

export function Plate(props: { species: number; serial?: number; title?: string }) {
  return (
    <div className="plate">
      <Moth {...props} />
    </div>
  )
}
