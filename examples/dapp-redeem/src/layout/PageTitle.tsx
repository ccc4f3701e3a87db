import { type ReactNode, useEffect, useRef } from 'react'

/** The first visit keeps the focus where the browser has it; from then on a new page is announced by its heading. */
let hasShownPage = false

/** The heading of a page: also the title of the tab, and where the focus goes when the page opens. */
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
