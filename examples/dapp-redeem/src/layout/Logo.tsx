export function Logo() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <path d="M3 31V15a13 13 0 0 1 26 0v16z" fill="#211d45" />
      <circle cx="16" cy="16" r="9" fill="#ffd23f" />
      <path
        d="M16 14c3-5 8-5 9-4 0 4-2 7-5 8 2 2 1 5-1 6-2-1-3-3-3-5 0 2-1 4-3 5-2-1-3-4-1-6-3-1-5-4-5-8 1-1 6-1 9 4z"
        fill="#211d45"
      />
    </svg>
  )
}
