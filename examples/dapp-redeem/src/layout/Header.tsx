import type { ReactNode } from 'react'
import { hrefOf, type Route } from '../routes/route.ts'
import { Logo } from './Logo.tsx'
import { ThemeToggle } from './ThemeToggle.tsx'

const entries = [
  { page: 'moths', text: 'Moths', also: ['moth'] },
  { page: 'cabinet', text: 'Cabinet', also: [] },
  { page: 'bills', text: 'Bills', also: ['bill'] },
  { page: 'credits', text: 'Credits', also: [] },
  { page: 'society', text: 'Society', also: [] },
] as const

/** @param props.tools the wallet's button */
export function Header({ route, tools }: { route: Route; tools: ReactNode }) {
  return (
    <header className="header">
      <button type="button" className="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the page
      </button>
      <div className="inner">
        <a className="brand" href={hrefOf({ page: 'moths' })}>
          <Logo />
          Lampfall
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
