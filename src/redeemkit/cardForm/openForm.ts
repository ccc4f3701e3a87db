import { readSessionKey } from '../api/credentials.ts'
import { SessionKeyError } from '../api/errors.ts'
import { CardFormError } from './errors.ts'
import { type FormMessage, formEvents, openFormChannel, textIn } from './formChannel.ts'
import { createFormPlace, type FormPlace, placeWords } from './formPlace.ts'
import { checkPurchaseOptions, type PurchaseOptions, purchaseFacts } from './purchaseOptions.ts'
import { readLook } from './readLook.ts'
import { readPurchaseId } from './readPurchaseId.ts'

/** The form in its frame. */
export type Form = {
  element: HTMLElement
  place: FormPlace
  /** The options of the moment. */
  read: () => PurchaseOptions
  channel: ReturnType<typeof openFormChannel> | undefined
  /** It has told that it listens. */
  isListening: boolean
  /** How often it has told so, less how often a page was loaded in the frame. One of both comes first. */
  greetings: number
  /** It was there: a payment may be under way in it. */
  isThere: boolean
  isRemoved: boolean
  /** Ends the wait for it. */
  late: ReturnType<typeof setTimeout> | undefined
  keys: Parameters<typeof readSessionKey>[0]
  /** The key that it has: when it asks again, that one has expired. */
  given: string | undefined
  /** The look that it was told of last. */
  look: string
  /** What the form was asked for, by the purchase's id: the page may have gone on to another one. */
  asked: Map<string, PurchaseOptions>
  /** Payments that the page was told of. */
  told: Set<string>
}

export function openForm(element: HTMLElement, read: () => PurchaseOptions): Form {
  const { language } = readLook(element, read())
  const form: Form = {
    element,
    place: createFormPlace(element, placeWords(language)),
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
    told: new Set(),
  }
  form.place.frame.addEventListener('load', () => {
    form.greetings--
    // A form says that it listens as its page loads; a page of an error, or one that the frame was led away to, never does.
    if (form.greetings < 0 && !form.isRemoved) expectWithin(form, silenceMs)
  })
  loadForm(form)
  return form
}

/** Asks for the form's page, at first or anew. */
export function loadForm(form: Form): void {
  const { read, place, isRemoved } = form
  if (isRemoved) return
  const address = formAddress(read())
  form.channel?.close()
  form.isListening = false
  form.isThere = false
  form.greetings = 0
  form.given = undefined
  const onMessage = handlersOf(form)
  form.channel = openFormChannel(place.frame, { origin: new URL(address).origin, onMessage })
  place.setColorScheme(read().theme?.colorScheme ?? 'auto')
  place.load(`${address}?parent=${encodeURIComponent(window.location.origin)}`)
  expectWithin(form, loadMs)
}

/** Where the form of these options is. */
export function formAddress(options: PurchaseOptions): string {
  return `${checkPurchaseOptions(options)}/card/${encodeURIComponent(options.merchantId)}`
}

/** Tells the form what is to be paid. Before it listens there is nobody to tell. */
export async function startPurchase(form: Form): Promise<void> {
  const { channel, read, element } = form
  if (!form.isListening) return
  const sessionKey = await readKey(form)
  if (sessionKey === undefined) return
  if (!form.isThere) expectWithin(form, answerMs)
  const options = read()
  const look = readLook(element, options)
  form.look = JSON.stringify(look)
  form.asked.set(readPurchaseId(options), options)
  channel?.send('start', { ...purchaseFacts(options), sessionKey, look })
}

/** Keeps the callbacks of the moment with the purchase that they are for, before the page goes on to other options. */
export function keepOptions(form: Form): void {
  const options = form.read()
  const id = readPurchaseId(options)
  if (form.asked.has(id)) form.asked.set(id, options)
}

/** Tells the form how to look, when that has changed. */
export function sendLook(form: Form): void {
  const { element, read, place, channel } = form
  place.setColorScheme(read().theme?.colorScheme ?? 'auto')
  const look = readLook(element, read())
  // Before it listens it is told with everything else.
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
        const isNews = !form.told.has(`${message.type} ${paymentId}`)
        form.told.add(`${message.type} ${paymentId}`)
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
    // A form that was not asked for yet, or in whose place stands that it failed, has nothing to tell.
    if (message.type !== 'hello' && !form.isListening) return
    if (Object.hasOwn(handlers, message.type)) handlers[message.type]?.(message)
  }
}

/** The options of the purchase that a message is about; of the moment, where it is about the purchase of the moment, or does not say. */
function optionsOf(form: Form, message: FormMessage): PurchaseOptions {
  const id = textIn(message, 'purchaseId')
  const now = form.read()
  return id === undefined || id === readPurchaseId(now) ? now : (form.asked.get(id) ?? now)
}

/** Undefined where the form was taken away meanwhile, or loaded anew: the key may be for another service than the one that is asked now. */
async function readKey(form: Form, stale?: string): Promise<string | undefined> {
  const { channel } = form
  const isGone = () => form.isRemoved || form.channel !== channel
  try {
    const key = await readSessionKey(form.keys, form.read().sessionKey, stale)
    if (isGone()) return undefined
    form.given = key
    return key
  } catch (error) {
    if (!(error instanceof SessionKeyError)) throw error
    if (isGone()) return undefined
    // A form that is there says so itself: a payment may be under way in it.
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
      new CardFormError('The card form did not appear.', {
        fix: 'Check baseUrl and merchantId, and that the service is up and lets this page show the form: its origin is named in whitelistedAncestorUrls or allowedOrigins, and the page’s own policy allows the frame.',
        docs: 'PROTOCOL.md 10.8',
      }),
    )
  }, ms)
}

function fail(form: Form, error: CardFormError | SessionKeyError): void {
  const { failed, again } = placeWords(readLook(form.element, form.read()).language)
  clearTimeout(form.late)
  form.isListening = false
  form.place.fail(failed, { label: again, run: () => loadForm(form) })
  form.read().onError?.(error)
}

/** How long the page of the form may take, how long one that has loaded may say nothing, and how long it may take to begin. */
const loadMs = 20_000
const silenceMs = 1_500
const answerMs = 10_000
