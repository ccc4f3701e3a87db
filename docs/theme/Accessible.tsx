import { useLocation } from '@rspress/core/runtime'
import { useEffect } from 'react'

/** Adds what the default theme leaves out: names and keyboard focus that screen readers and keyboards need. */
export default function Accessible() {
  const { pathname } = useLocation()
  useEffect(() => {
    const repair = () => {
      for (const one of document.querySelectorAll('a.rp-header-anchor[aria-hidden]'))
        one.setAttribute('tabindex', '-1')
      for (const one of document.querySelectorAll('.rp-llms-view-options__trigger'))
        one.setAttribute('aria-label', 'Open this page elsewhere')
      for (const one of document.querySelectorAll('.rp-table-scroll-container, pre'))
        one.setAttribute('tabindex', '0')
    }
    repair()
    const observer = new MutationObserver(repair)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [pathname])
  return null
}
