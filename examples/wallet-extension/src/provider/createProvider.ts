import { type PageAnswer, type PageError, type PageEvent, pageErrors } from '../pageMessages.ts'

type Listener = (value: unknown) => void

export type Provider = {
  request: (request: { method: string; params?: unknown }) => Promise<unknown>
  on: (event: string, listener: Listener) => Provider
  removeListener: (event: string, listener: Listener) => Provider
}

/**
 * @returns the provider, a function that takes the content script's messages, and a function to call when the page is shown again
 */
export function createProvider(post: (request: { id: string; text: string }) => void): {
  provider: Provider
  receive: (message: PageAnswer | PageEvent) => void
  shownAgain: () => void
} {
  /** The accounts and the chain that the page knows, by event. `undefined` until the page's first request. */
  let known: Map<string, string> | undefined
  const open = new Map<string, { resolve: (result: unknown) => void; reject: (error: Error) => void }>()
  const listeners = new Map<string, Set<Listener>>()
  const provider: Provider = {
    request: async (request) => {
      const { method, params } = Object(request)
      if (typeof method !== 'string' || (params !== undefined && typeof params !== 'object'))
        throw toError(pageErrors.invalidRequest)
      let text: string
      try {
        text = JSON.stringify({ method, params })
      } catch {
        throw toError({ ...pageErrors.invalidParams, message: 'The params are not JSON.' })
      }
      if (known === undefined) {
        known = new Map()
        look()
      }
      return send(text)
    },
    on: (event, listener) => {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
      return provider
    },
    removeListener: (event, listener) => {
      listeners.get(event)?.delete(listener)
      return provider
    },
  }

  function send(text: string): Promise<unknown> {
    const id = crypto.randomUUID()
    return new Promise((resolve, reject) => {
      open.set(id, { resolve, reject })
      post({ id, text })
    })
  }

  /** Emits a value that differs from the one the page knows. Values from the page's first request are only stored. */
  function tell({ event, value }: PageEvent, isNews = true): void {
    const [before, text] = [known?.get(event), JSON.stringify(value)]
    known?.set(event, text)
    if (before !== text && (isNews || before !== undefined)) emit(listeners.get(event), value)
  }

  function look(): void {
    const read = (event: PageEvent['event'], method: string) => {
      const before = known?.get(event)
      return send(JSON.stringify({ method })).then(
        // An event that arrived in the meantime is newer than the answer.
        (value) => known?.get(event) === before && tell({ event, value }, false),
        () => {}, // the page's own request fails in the same way
      )
    }
    void read('accountsChanged', 'eth_accounts')
    void read('chainChanged', 'eth_chainId')
  }

  return {
    // A page restored from the back/forward cache may have missed events.
    shownAgain: () => {
      if (known !== undefined) look()
    },
    // Not frozen, because pages set their own fields on the provider.
    provider,
    receive: (message) => {
      if ('event' in message) return tell(message)
      const request = open.get(message.id)
      open.delete(message.id)
      if ('error' in message) request?.reject(toError(message.error))
      else request?.resolve(message.result)
    },
  }
}

function emit(listeners: ReadonlySet<Listener> = new Set(), value: unknown): void {
  for (const listener of [...listeners]) {
    try {
      listener(value)
    } catch (error) {
      // If one listener throws, the others are still called.
      setTimeout(() => {
        throw error
      })
    }
  }
}

function toError({ message, ...more }: PageError): Error {
  return Object.assign(new Error(message), more)
}
