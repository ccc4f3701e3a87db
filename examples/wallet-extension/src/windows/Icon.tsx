const paths = {
  warning: 'M10 3.2 17.4 16H2.6L10 3.2ZM10 8v3.6M10 13.6v.2',
  stop: 'M7 2.8h6L17.2 7v6L13 17.2H7L2.8 13V7L7 2.8ZM7.6 7.6l4.8 4.8M12.4 7.6l-4.8 4.8',
  check: 'M10 17.4a7.4 7.4 0 1 0 0-14.8 7.4 7.4 0 0 0 0 14.8ZM6.8 10.2l2.2 2.2 4.2-4.6',
  info: 'M10 17.4a7.4 7.4 0 1 0 0-14.8 7.4 7.4 0 0 0 0 14.8ZM10 9.4v4.2M10 6.6v.2',
  lock: 'M5.4 9h9.2v7.4H5.4V9ZM7.2 9V6.4a2.8 2.8 0 0 1 5.6 0V9',
  chevron: 'm6 8 4 4 4-4',
  back: 'm12 5-5 5 5 5',
  next: 'm8 5 5 5-5 5',
  plus: 'M10 4.5v11M4.5 10h11',
  wallet: 'M3.4 5.6h11.4v2.2h1.8v7.6H3.4V5.6ZM12.6 11.6h4',
  sites:
    'M10 17.4a7.4 7.4 0 1 0 0-14.8 7.4 7.4 0 0 0 0 14.8ZM2.8 10h14.4M10 2.8c4.4 4.6 4.4 9.8 0 14.4M10 2.8c-4.4 4.6-4.4 9.8 0 14.4',
  settings: 'M3 6h7M14 6h3M3 14h3M10 14h7M12 4.2v3.6M8 12.2v3.6',
  out: 'M5 15 15 5M8 5h7v7',
  in: 'M15 5 5 15M12 15H5V8',
  key: 'M12.6 11a3.8 3.8 0 1 0-3.4-2.2L3.6 14.4v2.2h2.6v-1.8h1.8v-1.8l1.6-1.6c.9.4 2 .6 3 0ZM13.4 6.6v.1',
  copy: 'M7.4 7.4h8.8v8.8H7.4V7.4ZM4.4 12.6H3.8V3.8h8.8v.6',
  close: 'm5.4 5.4 9.2 9.2M14.6 5.4l-9.2 9.2',
} as const

/** Decorative: repeats the text next to it. */
export function Icon(props: { name: keyof typeof paths; size?: number }) {
  const { size = 18 } = props
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={paths[props.name]} />
    </svg>
  )
}

/** Draws a coloured pattern that makes an account easy to recognize. Only the address next to it identifies the account. */
export function AccountMark(props: { address: string; size?: number }) {
  const { address, size = 26 } = props
  const hue = Number.parseInt(address.slice(2, 6), 16) % 360
  const cells = [...address.slice(6, 15)].map((digit) => Number.parseInt(digit, 16))
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 5 5"
      className="mark"
      aria-hidden="true"
      shapeRendering="crispEdges"
    >
      <rect width="5" height="5" fill={`hsl(${hue} 45% 88%)`} />
      {cells.flatMap((value, at) =>
        [...new Set([at % 3, 4 - (at % 3)])].map((x) => (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a cell never moves
            key={`${at}-${x}`}
            x={x}
            y={1 + Math.floor(at / 3)}
            width="1"
            height="1"
            fill={`hsl(${(hue + value * 9) % 360} 50% ${value % 2 === 0 ? 38 : 62}%)`}
          />
        )),
      )}
    </svg>
  )
}

export function Brand(props: { size?: number }) {
  const { size = 22 } = props
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" className="brand" role="img" aria-label="Pocket">
      <path d="M3 4h18v9a9 9 0 0 1-18 0V4Z" fill="currentColor" />
      <path d="M7 8.2h10" stroke="var(--on-accent)" strokeWidth="1.8" strokeLinecap="round" />
    </svg>
  )
}
