import { fieldNames, formatCvv, formatExpiry, formatNumber } from './cardFields.ts'
import { type Look, openChannel, readSettings, type Start } from './channel.ts'
import { textsOf } from './messages.ts'
import { challengeLoaded, leaveChallenge, openPurchase, pay, redraw } from './purchase.ts'
import { createPurchase, type Purchase } from './purchaseState.ts'
import { inputOf, part, setLook, setTexts, showOutcome } from './view.ts'

function begin(): void {
  const settings = readSettings()
  let language = 'en'
  const texts = () => textsOf(language)
  let purchase: Purchase | undefined
  /** The request that starts when the pending payment has ended. */
  let next: Start | undefined

  const look = (wanted: Look) => {
    setLook(wanted)
    language = wanted.language ?? 'en'
    setTexts(texts(), language)
    if (purchase !== undefined) redraw(purchase)
  }
  const start = (wanted: Start) => {
    look(wanted.look)
    next = purchase?.isBusy ? wanted : undefined
    if (next !== undefined) return
    const own = createPurchase({
      settings,
      start: wanted,
      channel,
      texts,
      isCurrent: () => purchase === own,
      act: (what) => void act(what),
    })
    purchase = own
    void act(openPurchase)
  }
  const channel = openChannel(settings.parent, { start, look })
  setTexts(texts(), language)
  const act = async (what: (on: Purchase) => void | Promise<void>) => {
    if (purchase === undefined) return
    await what(purchase)
    if (next !== undefined && !purchase.isBusy) start(next)
  }
  watchFields(() => void act(pay))
  part('leave').addEventListener('click', () => void act(leaveChallenge))
  part('challenge-page').addEventListener('load', () => void act(challengeLoaded))
  if (window.parent === window) {
    showOutcome({ kind: 'bad', title: texts().stoppedTitle, text: texts().noParent })
    return
  }
  new ResizeObserver(() =>
    channel.tell('height', { height: Math.ceil(part('card').getBoundingClientRect().height) }),
  ).observe(part('card'))
  channel.tell('hello')
}

function watchFields(pay: () => void): void {
  const formats = { number: formatNumber, expiry: formatExpiry, cvv: formatCvv }
  for (const [name, format] of Object.entries(formats)) {
    const input = part<HTMLInputElement>(name)
    input.addEventListener('input', (event) => {
      const isDeleting = event instanceof InputEvent && event.inputType.startsWith('delete')
      const typed = input.value
      const before = typed.slice(0, input.selectionStart ?? typed.length).replace(/\D/g, '').length
      const text = format(isDeleting ? typed.replace(/[\s/]+$/, '') : typed)
      if (text === typed) return
      const atEnd = (input.selectionStart ?? typed.length) >= typed.length
      input.value = text
      const at = atEnd ? text.length : placeAfter(text, before)
      input.setSelectionRange(at, at)
    })
  }
  for (const name of fieldNames)
    inputOf(name).addEventListener('input', () => {
      inputOf(name).setAttribute('aria-invalid', 'false')
      part(`${name}-wrong`).textContent = ''
    })
  part('form').addEventListener('submit', (event) => {
    event.preventDefault()
    pay()
  })
}

/** Returns the cursor position after this many digits. */
function placeAfter(text: string, digits: number): number {
  let seen = 0
  for (let at = 0; at < text.length; at++) {
    if (seen === digits) return at
    if (/\d/.test(text[at] ?? '')) seen++
  }
  return text.length
}

begin()
