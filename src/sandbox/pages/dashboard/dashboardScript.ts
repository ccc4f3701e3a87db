/**
 * Shows times in the user's time zone and refreshes the content. The refresh pauses while the page is hidden and while the
 * user selects, types or points at a button, and keeps the focus. Without this script, the page stays as loaded, in UTC.
 */
export const dashboardScript = `const content = document.getElementById('content')
let shown = content.innerHTML
const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
const localTime = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium' })
const localise = () => {
  for (const time of document.querySelectorAll('time')) {
    const at = new Date(time.dateTime)
    if (!Number.isFinite(at.getTime())) continue
    time.title = time.dateTime
    time.textContent = localTime.format(at)
  }
  const zone = document.getElementById('zone')
  if (zone) zone.textContent = timeZone
}
localise()
const address = new URL(location.href)
if (address.searchParams.has('note')) {
  address.searchParams.delete('note')
  history.replaceState(null, '', address)
}
const isChanged = (field) =>
  field.type !== 'hidden' &&
  (field.options
    ? [...field.options].some((option) => option.defaultSelected && !option.selected)
    : field.value !== field.defaultValue)
const isBusy = () =>
  document.hidden ||
  content.querySelector('[data-final], button:hover') !== null ||
  (content.contains(document.activeElement) && document.activeElement.matches('input, select')) ||
  [...content.querySelectorAll('input, select')].some(isChanged) ||
  String(getSelection()) !== ''
const controls = 'a, button, summary, [tabindex]'
const nameOf = (element) =>
  element.localName + (element.getAttribute('aria-label') ?? element.getAttribute('href') ?? element.textContent)
const refresh = async () => {
  if (isBusy()) return
  // A failed request marks the page as offline.
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => undefined)
  document.body.classList.toggle('away', answer?.ok !== true)
  if (answer?.ok !== true) return
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const fresh = page.getElementById('content').innerHTML
  if (fresh === shown || isBusy()) return
  const focused = content.contains(document.activeElement) ? nameOf(document.activeElement) : undefined
  const open = [...content.querySelectorAll('details[open]')].map(({ id }) => id)
  content.innerHTML = fresh
  shown = fresh
  localise()
  for (const id of open) document.getElementById(id)?.setAttribute('open', '')
  if (focused !== undefined)
    [...content.querySelectorAll(controls)].find((element) => nameOf(element) === focused)?.focus()
}
setInterval(refresh, 2000)
`
