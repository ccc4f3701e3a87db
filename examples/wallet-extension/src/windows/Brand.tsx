/** The wallet's mark. */
export function Brand(props: { size?: number }) {
  const { size = 22 } = props
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" className="brand" role="img" aria-label="Pocket">
      <path d="M3 4h18v9a9 9 0 0 1-18 0V4Z" fill="currentColor" />
      <path d="M7 8.2h10" stroke="var(--on-accent)" strokeWidth="1.8" strokeLinecap="round" />
    </svg>
  )
}
