import { useSyncExternalStore } from 'react'

type Theme = 'light' | 'dark'
const key = 'lampfall-theme'

/** Without a choice, the system's theme applies. */
export function applyKeptTheme(): void {
  const kept = localStorage.getItem(key)
  if (kept === 'light' || kept === 'dark') document.documentElement.dataset.theme = kept
}

const shownTheme = (): Theme => {
  const { theme } = document.documentElement.dataset
  if (theme === 'light' || theme === 'dark') return theme
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

const subscribe = (onChange: () => void) => {
  const system = window.matchMedia('(prefers-color-scheme: dark)')
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  system.addEventListener('change', onChange)
  return () => {
    observer.disconnect()
    system.removeEventListener('change', onChange)
  }
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, shownTheme)
}

export function ThemeToggle() {
  const theme = useTheme()
  const other = theme === 'dark' ? 'light' : 'dark'
  const choose = () => {
    localStorage.setItem(key, other)
    document.documentElement.dataset.theme = other
  }
  return (
    <button type="button" className="icon-button" onClick={choose} aria-label={`Use ${other} colours`}>
      <svg
        viewBox="0 0 24 24"
        aria-hidden="true"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
      >
        {theme === 'dark' ? (
          <>
            <circle cx="12" cy="12" r="4.5" />
            <path d="M12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M5 5l1.8 1.8M17.2 17.2 19 19M19 5l-1.8 1.8M6.8 17.2 5 19" />
          </>
        ) : (
          <path d="M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z" strokeLinejoin="round" />
        )}
      </svg>
    </button>
  )
}
