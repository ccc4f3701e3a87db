/** What stands in the form's place while it is not there. */
export type PlaceWords = { title: string; loading: string; failed: string; again: string }

/** Those of a language tag: Portuguese of any country, else English. */
export function placeWords(language: string): PlaceWords {
  return /^pt\b/i.test(language) ? portuguese : english
}

const english: PlaceWords = {
  title: 'Card payment',
  loading: 'Loading the card form…',
  failed: 'The card form could not be loaded. Check your connection, then try again.',
  again: 'Try again',
}
const portuguese: PlaceWords = {
  title: 'Pagamento com cartão',
  loading: 'Carregando o formulário do cartão…',
  failed: 'O formulário do cartão não pôde ser carregado. Verifique sua conexão e tente de novo.',
  again: 'Tentar de novo',
}

/** What stands in the merchant's element: the iframe, and in its place what is told while it is not there. */
export type FormPlace = {
  frame: HTMLIFrameElement
  /** The form is loading: its address is asked for anew. */
  load: (src: string) => void
  /** The form is there. */
  reveal: () => void
  /** @param height in CSS pixels; outside of what a form can need it is cut */
  resize: (height: unknown) => void
  fail: (text: string, again: { label: string; run: () => void }) => void
  setColorScheme: (scheme: 'light' | 'dark' | 'auto') => void
  remove: () => void
}

/** Styles nothing but its own elements, by their own properties: the page's CSS stays as it is, and a strict policy is kept. */
export function createFormPlace(element: HTMLElement, words: PlaceWords): FormPlace {
  const place = document.createElement('div')
  const status = document.createElement('div')
  const frame = document.createElement('iframe')
  frame.title = words.title
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
    // Out of the tab order and of what is read out, and loading all the same.
    frame.style.visibility = 'hidden'
  }
  return {
    frame,
    load: (src) => {
      tell('status', document.createTextNode(words.loading))
      frame.src = src
      // With its address already: an empty frame would load, too.
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
