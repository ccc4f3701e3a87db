import { SessionKeyError } from '../api/errors.ts'
import { readSessionKey } from '../api/readSessionKey.ts'
import { CardFormError } from './errors.ts'
import { type FormMessage, formEvents, openFormChannel, textIn } from './formChannel.ts'
import { createFormPlace, type FormPlace, formLanguage, placeTexts } from './formPlace.ts'
import {
  checkPurchaseOptions,
  type PurchaseOptions,
  purchaseFacts,
  purchaseName,
  readPurchaseId,
} from './purchaseOptions.ts'
import { readLook } from './readLook.ts'

export type Form = {
  element: HTMLElement
  place: FormPlace
  read: () => PurchaseOptions
  channel: ReturnType<typeof openFormChannel> | undefined
  /** Whether the form has sent `hello`, so that it receives messages. */
  isListening: boolean
  /** Number of `hello` messages minus number of loads. Either can come first. */
  greetings: number
  /** Whether the form was shown, so that a payment may be in progress. */
  isThere: boolean
  isRemoved: boolean
  /** The load timeout. */
  late: ReturnType<typeof setTimeout> | undefined
  keys: Parameters<typeof readSessionKey>[0]
  /** The session key that the form received. If the form requests a key again, this key has expired. */
  given: string | undefined
  look: string
  /** Options by purchase id, because the page may show another purchase when a message arrives. */
  asked: Map<string, PurchaseOptions>
  reported: Set<string>
}

export function openForm(element: HTMLElement, read: () => PurchaseOptions): Form {
  const { language } = readLook(element, read())
  const form: Form = {
    element,
    place: createFormPlace(element, placeTexts[formLanguage(language)]),
    read,
    channel: undefined,
    isListening: false,
    isThere: false,
    isRemoved: false,
    late: undefined,
    keys: {},
    given: undefined,
    look: '',
    greetings: 0,
    asked: new Map(),
    reported: new Set(),
  }
  form.place.frame.addEventListener('load', () => {
    form.greetings--
    // A form sends `hello` as it loads. An error page, or another page in the frame, never does.
    if (form.greetings < 0 && !form.isRemoved) expectWithin(form, silenceMs)
  })
  loadForm(form)
  return form
}

export function loadForm(form: Form): void {
  const { read, place, isRemoved } = form
  if (isRemoved) return
  const address = formAddress(read())
  form.channel?.close()
  form.isListening = false
  form.isThere = false
  form.greetings = 0
  form.keys = {}
  form.given = undefined
  const onMessage = handlersOf(form)
  form.channel = openFormChannel(place.frame, { origin: new URL(address).origin, onMessage })
  place.setColorScheme(read().theme?.colorScheme ?? 'auto')
  place.load(`${address}?parent=${encodeURIComponent(window.location.origin)}`)
  expectWithin(form, loadMs)
}

export function formAddress(options: PurchaseOptions): string {
  return `${checkPurchaseOptions(options)}/card/${encodeURIComponent(options.merchantId)}`
}

/** Sends the purchase to the form. Does nothing until the form listens. */
export async function startPurchase(form: Form): Promise<void> {
  const { channel, read, element } = form
  if (!form.isListening) return
  if (!form.isThere) expectWithin(form, loadMs)
  const sessionKey = await readKey(form)
  if (sessionKey === undefined) return
  if (!form.isThere) expectWithin(form, answerMs)
  const options = read()
  const look = readLook(element, options)
  form.look = JSON.stringify(look)
  form.asked.set(readPurchaseId(options), options)
  channel?.send('start', { ...purchaseFacts(options), sessionKey, look })
}

/** Stores the current callbacks with their purchase, before the page switches to other options. */
export function keepOptions(form: Form): void {
  const options = form.read()
  const id = readPurchaseId(options)
  if (form.asked.has(id)) form.asked.set(id, options)
}

export function sendLook(form: Form): void {
  const { element, read, place, channel } = form
  place.setColorScheme(read().theme?.colorScheme ?? 'auto')
  const look = readLook(element, read())
  // The response to `hello` includes the theme.
  if (!form.isListening || JSON.stringify(look) === form.look) return
  form.look = JSON.stringify(look)
  channel?.send('look', { look })
}

export function removeForm(form: Form): void {
  form.isRemoved = true
  clearTimeout(form.late)
  form.channel?.close()
  form.place.remove()
}

function handlersOf(form: Form): (message: FormMessage) => void {
  const handlers: Readonly<Record<string, (message: FormMessage) => void>> = {
    ...formEvents(
      (message) => optionsOf(form, message),
      (message, paymentId) => {
        const isNews = !form.reported.has(`${message.type} ${paymentId}`)
        form.reported.add(`${message.type} ${paymentId}`)
        return isNews
      },
    ),
    hello: () => {
      clearTimeout(form.late)
      form.greetings++
      form.isListening = true
      void startPurchase(form)
    },
    shown: () => {
      clearTimeout(form.late)
      form.place.reveal()
    },
    height: ({ height }) => form.place.resize(height),
    sessionKey: async () => {
      const sessionKey = await readKey(form, form.given)
      if (sessionKey !== undefined) form.channel?.send('sessionKey', { sessionKey })
    },
    ready: () => {
      if (!form.isThere) form.read().onReady?.()
      form.isThere = true
    },
  }
  return (message) => {
    // Ignore messages of a form that has not sent `hello` or was replaced by an error.
    if (message.type !== 'hello' && !form.isListening) return
    if (Object.hasOwn(handlers, message.type)) handlers[message.type]?.(message)
  }
}

/** Returns the options of the purchase that a message names. Default: the current options. */
function optionsOf(form: Form, message: FormMessage): PurchaseOptions {
  const id = textIn(message, 'purchaseId')
  const now = form.read()
  return id === undefined || id === readPurchaseId(now) ? now : (form.asked.get(id) ?? now)
}

/** `undefined` if the form was removed or reloaded meanwhile, or shows a purchase that may need another key. */
async function readKey(form: Form, stale?: string): Promise<string | undefined> {
  const { channel } = form
  const name = purchaseName(form.read())
  const isGone = () => form.isRemoved || form.channel !== channel || purchaseName(form.read()) !== name
  try {
    const key = await readSessionKey(form.keys, form.read().sessionKey, stale)
    if (isGone()) return undefined
    form.given = key
    return key
  } catch (error) {
    if (!(error instanceof SessionKeyError)) throw error
    if (isGone()) return undefined
    // a visible form reports its own errors: a payment may be in progress in it
    if (form.isThere) form.read().onError?.(error)
    else fail(form, error)
    return undefined
  }
}

function expectWithin(form: Form, ms: number): void {
  clearTimeout(form.late)
  form.late = setTimeout(() => {
    fail(
      form,
      new CardFormError('The card form could not be loaded.', {
        fix: 'Check baseUrl and merchantId. Check that the service is running and lists your origin in whitelistedAncestorUrls or allowedOrigins, and that your page’s Content Security Policy allows the frame.',
        source: 'PROTOCOL.md 10.8',
      }),
    )
  }, ms)
}

function fail(form: Form, error: CardFormError | SessionKeyError): void {
  const { failed, again } = placeTexts[formLanguage(readLook(form.element, form.read()).language)]
  clearTimeout(form.late)
  form.isListening = false
  form.place.fail(failed, { label: again, run: () => loadForm(form) })
  form.read().onError?.(error)
}

/** Time limits in ms: to load the page or fetch the session key; to receive `hello` after loading; to start. */
const loadMs = 20_000
const silenceMs = 1_500
const answerMs = 10_000
