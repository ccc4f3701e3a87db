import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react'
import { hrefOf, type Route } from './routes.ts'
import { ThemeToggle } from './ThemeToggle.tsx'

const entries = [
  { page: 'moths', text: 'Moths', also: ['moth'] },
  { page: 'cabinet', text: 'Cabinet', also: [] },
  { page: 'bills', text: 'Bills', also: ['bill'] },
  { page: 'credits', text: 'Credits', also: [] },
  { page: 'society', text: 'Society', also: [] },
] as const

export function Header({ route, tools }: { route: Route; tools: ReactNode }) {
  return (
    <header className="header">
      <button type="button" className="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the page
      </button>
      <div className="inner">
        <a className="brand" href={hrefOf({ page: 'moths' })}>
          <Logo />
          <span>Lampfall</span>
        </a>
        <nav className="nav" aria-label="Shop">
          <ul>
            {entries.map(({ page, text, also }) => {
              const isHere = [page, ...also].some((one) => one === route.page)
              return (
                <li key={page}>
                  <a href={hrefOf({ page })} {...(isHere && { 'aria-current': 'page' })}>
                    {text}
                  </a>
                </li>
              )
            })}
          </ul>
        </nav>
        <div className="header-tools">
          <ThemeToggle />
          {tools}
        </div>
      </div>
    </header>
  )
}

function Logo() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <path d="M3 31V15a13 13 0 0 1 26 0v16z" fill="var(--logo)" />
      <circle cx="16" cy="16" r="9" fill="#ffd23f" />
      <path
        d="M16 14c3-5 8-5 9-4 0 4-2 7-5 8 2 2 1 5-1 6-2-1-3-3-3-5 0 2-1 4-3 5-2-1-3-4-1-6-3-1-5-4-5-8 1-1 6-1 9 4z"
        fill="#211d45"
      />
    </svg>
  )
}

export function Footer() {
  return (
    <footer className="footer">
      <div className="inner">
        <p>Lampfall, a moth house. Every moth is drawn, and none was ever pinned.</p>
        <p>Network fees are paid from your credits. Your wallet needs no ETH.</p>
      </div>
    </footer>
  )
}

/** The first page leaves the focus to the browser. On later pages, the heading gets the focus, so that screen readers announce it. */
let hasShownPage = false

/** Sets the tab's title, and focuses the heading when the page opens. */
export function PageTitle(props: { title: string; children?: ReactNode }) {
  const { title, children = title } = props
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Lampfall`
    if (hasShownPage) {
      heading.current?.focus({ preventScroll: true })
      window.scrollTo(0, 0)
    }
    hasShownPage = true
  }, [title])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  )
}

const subscribe = (onChange: () => void) => {
  window.addEventListener('online', onChange)
  window.addEventListener('offline', onChange)
  return () => {
    window.removeEventListener('online', onChange)
    window.removeEventListener('offline', onChange)
  }
}

export function useOnline(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine)
}

export function UnknownPage() {
  return (
    <>
      <PageTitle title="Page not found" />
      <p className="lead">Perhaps it flew off. All our moths are in the catalogue.</p>
      <p className="section">
        <a className="button" href={hrefOf({ page: 'moths' })}>
          To the moths
        </a>
      </p>
    </>
  )
}
