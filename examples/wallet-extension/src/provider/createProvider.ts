import { type PageAnswer, type PageEvent, pageErrors } from '../pageMessages.ts'

type Listener = (value: unknown) => void

/** A provider (EIP-1193). */
export type Provider = {
  request: (request: { method: string; params?: unknown }) => Promise<unknown>
  on: (event: string, listener: Listener) => Provider
  removeListener: (event: string, listener: Listener) => Provider
}

/**
 * Creates the provider of a page. It keeps no state of the wallet: every request goes to the worker.
 *
 * @param post sends a request to the content script
 * @returns the provider, and a function that takes the content script's messages
 */
export function createProvider(post: (request: { id: string; text: string }) => void): {
  provider: Provider
  receive: (message: PageAnswer | PageEvent) => void
} {
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
      const id = crypto.randomUUID()
      return new Promise((resolve, reject) => {
        open.set(id, { resolve, reject })
        post({ id, text })
      })
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
  return {
    // Not frozen, because pages set their own fields on the provider.
    provider,
    receive: (message) => {
      if ('event' in message) return emit(listeners.get(message.event), message.value)
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

function toError({ code, message }: { code: number; message: string }): Error {
  return Object.assign(new Error(message), { code })
}
