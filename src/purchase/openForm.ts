import { SessionKeyError } from '../api/errors.ts'
import { readSessionKey } from '../api/sessionKey.ts'
import { CardFormError } from './errors.ts'
import { type FormMessage, openFormChannel } from './formChannel.ts'
import { formEvents } from './formEvents.ts'
import { createFormPlace, type FormPlace } from './formPlace.ts'
import { keptPurchaseId } from './keptPurchaseId.ts'
import { placeWords } from './placeWords.ts'
import { purchaseFacts, purchaseName } from './purchaseFacts.ts'
import { checkPurchaseOptions, type PurchaseOptions } from './purchaseOptions.ts'
import { readLook } from './readLook.ts'

/** The form in its frame. */
export type Form = {
  element: HTMLElement
  place: FormPlace
  /** The options of the moment. */
  read: () => PurchaseOptions
  channel: ReturnType<typeof openFormChannel> | undefined
  /** It has told that it listens. */
  isListening: boolean
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
  /** Ends the purchase that only this tab has a name for. */
  forget: () => void
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
    forget: () => {},
  }
  form.place.frame.addEventListener('load', () => {
    // A form says that it listens before its page has loaded; a page of an error never does.
    if (!form.isListening && !form.isRemoved) expectWithin(form, silenceMs)
  })
  loadForm(form)
  return form
}

/** Asks for the form's page, at first or anew. */
export function loadForm(form: Form): void {
  const { read, place } = form
  const address = formAddress(read())
  form.channel?.close()
  form.isListening = false
  form.isThere = false
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
  // Meanwhile it may have been loaded anew.
  if (sessionKey === undefined || form.channel !== channel) return
  if (!form.isThere) expectWithin(form, answerMs)
  const options = read()
  const look = readLook(element, options)
  form.look = JSON.stringify(look)
  channel?.send('start', { ...purchaseFacts(options), purchaseId: nameOf(form, options), sessionKey, look })
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
    ...formEvents(form.read, { paid: () => form.forget() }),
    hello: () => {
      clearTimeout(form.late)
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

/** The purchase's id, where neither the page nor a JWT gives it one. */
function nameOf(form: Form, options: PurchaseOptions): string | undefined {
  if (options.purchaseId !== undefined || options.checkoutJwtToken !== undefined) return options.purchaseId
  const { id, forget } = keptPurchaseId(`${formAddress(options)} ${purchaseName(options)}`)
  form.forget = forget
  return id
}

async function readKey(form: Form, stale?: string): Promise<string | undefined> {
  try {
    form.given = await readSessionKey(form.keys, form.read().sessionKey, stale)
    return form.isRemoved ? undefined : form.given
  } catch (error) {
    if (!(error instanceof SessionKeyError)) throw error
    if (form.isRemoved) return undefined
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
