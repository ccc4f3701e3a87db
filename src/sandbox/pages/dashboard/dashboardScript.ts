/**
 * Keeps the page fresh: asks for it again while it is looked at, and puts what has changed in place. Nothing is changed while
 * somebody opens, chooses or types something in it; what has the focus keeps it. Without this script the page is as it was loaded.
 */
export const dashboardScript = `const content = document.getElementById('content')
let shown = content.innerHTML
const isBusy = () =>
  document.hidden ||
  content.querySelector('details[open]') !== null ||
  (content.contains(document.activeElement) && document.activeElement.matches('input, select, textarea')) ||
  String(getSelection()) !== ''
const placeOf = (element) => [...content.querySelectorAll('a, button, summary')].indexOf(element)
const refresh = async () => {
  if (isBusy()) return
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => undefined)
  document.body.classList.toggle('away', answer?.ok !== true)
  if (answer?.ok !== true || isBusy()) return
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const fresh = page.getElementById('content').innerHTML
  if (fresh === shown) return
  const place = placeOf(document.activeElement)
  content.innerHTML = fresh
  shown = fresh
  if (place >= 0) content.querySelectorAll('a, button, summary')[place]?.focus()
}
setInterval(refresh, 2000)
`
