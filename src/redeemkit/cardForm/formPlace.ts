export type PlaceTexts = { title: string; loading: string; failed: string; again: string }

export const placeTexts = {
  en: {
    title: 'Card payment',
    loading: 'Loading the card form…',
    failed: 'The card form could not be loaded. Check your connection and try again.',
    again: 'Try again',
  },
  pt: {
    title: 'Pagamento com cartão',
    loading: 'Carregando o formulário do cartão…',
    failed: 'Não foi possível carregar o formulário do cartão. Verifique sua conexão e tente novamente.',
    again: 'Tentar novamente',
  },
} satisfies Record<string, PlaceTexts>

/** Ignores the country. English if the form does not have the language. */
export function formLanguage(tag: string): keyof typeof placeTexts {
  const [language = ''] = tag.toLowerCase().split('-')
  return Object.hasOwn(placeTexts, language) ? (language as keyof typeof placeTexts) : 'en' // checked by `hasOwn`
}

/** An iframe, or a status text while the form is not available. */
export type FormPlace = {
  frame: HTMLIFrameElement
  load: (src: string) => void
  reveal: () => void
  /** In CSS pixels, clamped to a sensible range. */
  resize: (height: unknown) => void
  fail: (text: string, again: { label: string; run: () => void }) => void
  setColorScheme: (scheme: 'light' | 'dark' | 'auto') => void
  remove: () => void
}

/** Sets inline properties of its own elements only, so that it changes no CSS of the page and works under a strict CSP. */
export function createFormPlace(element: HTMLElement, texts: PlaceTexts): FormPlace {
  const place = document.createElement('div')
  const status = document.createElement('div')
  const frame = document.createElement('iframe')
  frame.title = texts.title
  frame.allow = 'payment'
  frame.referrerPolicy = 'no-referrer'
  Object.assign(frame.style, { display: 'block', width: '100%', border: '0' })
  place.append(status, frame)

  const tell = (role: 'status' | 'alert', ...parts: Node[]) => {
    status.setAttribute('role', role)
    Object.assign(status.style, { padding: '2rem 1rem', textAlign: 'center' })
    status.hidden = false
    status.replaceChildren(...parts)
    frame.style.height = '0'
    // Hidden from keyboard and screen readers, but still loading.
    frame.style.visibility = 'hidden'
  }
  return {
    frame,
    load: (src) => {
      tell('status', document.createTextNode(texts.loading))
      frame.src = src
      // Added after `src` is set, because an empty frame would also fire `load`.
      if (!place.isConnected) element.append(place)
    },
    reveal: () => {
      status.hidden = true
      frame.style.visibility = 'visible'
      if (frame.style.height === '0px') frame.style.height = `${usualHeight}px`
    },
    resize: (height) => {
      if (typeof height !== 'number' || !Number.isFinite(height) || frame.style.visibility === 'hidden')
        return
      frame.style.height = `${Math.ceil(Math.min(Math.max(height, leastHeight), mostHeight))}px`
    },
    fail: (text, { label, run }) => {
      const paragraph = document.createElement('p')
      paragraph.textContent = text
      const button = document.createElement('button')
      button.type = 'button'
      button.textContent = label
      Object.assign(button.style, { font: 'inherit', padding: '0.6rem 1.2rem' })
      button.addEventListener('click', run)
      tell('alert', paragraph, button)
    },
    setColorScheme: (scheme) => {
      frame.style.colorScheme = scheme === 'auto' ? 'light dark' : scheme
    },
    remove: () => place.remove(),
  }
}

const leastHeight = 120
const usualHeight = 560
const mostHeight = 2_400
