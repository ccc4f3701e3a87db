import { fillIn } from '../../../../redeemkit/core/userMessage/buttonEnglish.ts'
import { purchaseVariables } from '../../../../redeemkit/schema/purchaseVariables.ts'
import { type FieldName, type FieldProblem, fieldNames } from './cardFields.ts'
import type { Look } from './channel.ts'
import { moneyText, type Texts } from './messages.ts'

/** Applies the embedding page's colours and sizes, and ignores anything else in the message. */
export function setLook({ colorScheme, variables: wanted }: Look): void {
  const { style, dataset } = document.documentElement
  dataset.scheme = colorScheme === 'light' || colorScheme === 'dark' ? colorScheme : 'auto'
  for (const [name, pattern] of Object.entries(purchaseVariables)) {
    const value = wanted[name]
    if (typeof value === 'string' && pattern.test(value)) style.setProperty(name, value)
    else style.removeProperty(name)
  }
}

type Part = 'loading' | 'form' | 'challenge' | 'outcome'

export type Price = {
  currency: string
  totalCents: number
  subtotalCents: number
  lines: readonly { label: string; cents: number }[]
}

export function part<element extends HTMLElement = HTMLElement>(id: string): element {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`The page has no element #${id}.`)
  return found as element // the caller knows the element's type
}

export const inputOf = (name: FieldName) => part<HTMLInputElement>(name)

export function readFields(): Record<FieldName, string> {
  const [email, number, expiry, cvv, name] = fieldNames.map((one) => inputOf(one).value)
  return { email: email ?? '', number: number ?? '', expiry: expiry ?? '', cvv: cvv ?? '', name: name ?? '' }
}

export function setTexts(texts: Texts, language: string): void {
  document.documentElement.lang = language
  document.title = texts.title
  for (const element of document.querySelectorAll<HTMLElement>('[data-word]')) {
    const key = element.dataset.word ?? ''
    const said = Object.entries(texts).find(([name]) => name === key)?.[1]
    if (typeof said === 'string') element.textContent = said
  }
  inputOf('expiry').placeholder = texts.expiryExample
  part('challenge-page').title = texts.challengeFrame
}

export function show(shown: Part): void {
  for (const id of ['loading', 'form', 'challenge', 'outcome'] as const) part(id).hidden = id !== shown
  if (shown !== 'form') showAlert('')
}

export function showPrice(price: Price, { texts, isTest }: { texts: Texts; isTest: boolean }): void {
  const row = (label: string, cents: number, kind = '') => {
    const line = document.createElement('div')
    line.className = kind
    const [term, amount] = [document.createElement('dt'), document.createElement('dd')]
    term.textContent = label
    amount.textContent = moneyText(cents, { currency: price.currency, texts })
    line.append(term, amount)
    return line
  }
  const { lines, subtotalCents, totalCents } = price
  part('lines').replaceChildren(
    ...(lines.length === 0 ? [] : [row(texts.subtotal, subtotalCents)]),
    ...lines.map(({ label, cents }) => row(label === 'Fee' ? texts.fee : label, cents)),
    row(texts.total, totalCents, 'total'),
  )
  part('price').hidden = false
  part('test').hidden = !isTest
}

export function showProblems(problems: Partial<Record<FieldName, FieldProblem>>, texts: Texts): void {
  for (const name of fieldNames) {
    const problem = problems[name]
    part(`${name}-wrong`).textContent = problem === undefined ? '' : texts[problem]
    inputOf(name).setAttribute('aria-invalid', String(problem !== undefined))
  }
}

export function showAlert(text: string): void {
  part('alert').textContent = text
}

/** Announces a text to screen readers only. */
export function say(text: string): void {
  part('status').textContent = text
}

export function setBusy(isBusy: boolean, text: string): void {
  const button = part<HTMLButtonElement>('pay')
  // `aria-disabled`, because `disabled` would remove the focus.
  button.setAttribute('aria-disabled', String(isBusy))
  part('pay-text').textContent = text
  part('form').classList.toggle('busy', isBusy)
  for (const input of part('form').querySelectorAll('input')) input.readOnly = isBusy
}

type Outcome = {
  kind: 'done' | 'waiting' | 'bad'
  title: string
  text: string
  reference?: string | undefined
  again?: { label: string; run: () => void } | undefined
}

export function showOutcome({ kind, title, text, reference = '', again }: Outcome): void {
  show('outcome')
  part('outcome').className = kind
  part('outcome-title').textContent = title
  part('outcome-text').textContent = text
  part('reference').textContent = reference
  const button = part<HTMLButtonElement>('again')
  button.hidden = again === undefined
  button.textContent = again?.label ?? ''
  button.onclick = again?.run ?? null
  say(`${title}. ${text}`)
}

const totalText = (price: Price | undefined, texts: Texts) =>
  price === undefined ? '' : moneyText(price.totalCents, { currency: price.currency, texts })

export const withTotal = (sentence: string, price: Price | undefined, texts: Texts) =>
  fillIn(sentence, { total: totalText(price, texts) }).trim()
