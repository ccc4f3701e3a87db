import {
  longestRequest,
  mostUnanswered,
  type PageAnswer,
  type PageError,
  type PageEvent,
  type PageRequest,
  pageErrors,
} from '../pageMessages.ts'

/** A connection to the worker, such as a `chrome.runtime.Port`. */
export type WorkerPort = {
  postMessage: (message: object) => void
  onMessage: { addListener: (listener: (message: PageAnswer) => void) => void }
  onDisconnect: { addListener: (listener: () => void) => void }
}

/**
 * The worker may be stopped at any moment. Unanswered requests are then sent again under the same id, which the worker recognizes. Each
 * answer is confirmed, so that the worker can forget it.
 *
 * @param options.connect opens a port. Throws after the extension was updated or removed
 */
export function createRelay(options: {
  connect: () => WorkerPort
  post: (message: PageAnswer | PageEvent) => void
  later: (work: () => void, ms: number) => void
}): { request: (request: PageRequest) => void; leave: () => void } {
  const { connect, post, later } = options
  const unanswered = new Map<string, PageRequest>()
  let port: WorkerPort | undefined
  let failures = 0

  function answer(message: PageAnswer): void {
    failures = 0
    port?.postMessage({ confirm: message.id })
    if (unanswered.delete(message.id)) post(message)
  }

  function failAll(error: PageError): void {
    for (const id of unanswered.keys()) post({ id, error })
    unanswered.clear()
    failures = 0
  }

  function open(): WorkerPort | undefined {
    try {
      const opened = connect()
      opened.onMessage.addListener(answer)
      opened.onDisconnect.addListener(() => {
        if (port !== opened) return
        port = undefined
        if (unanswered.size > 0) later(resend, Math.min(50 * 2 ** failures++, 2_000))
      })
      return opened
    } catch {
      failAll(pageErrors.disconnected)
      post({ event: 'disconnect', value: pageErrors.disconnected })
      return undefined
    }
  }

  function resend(): void {
    if (failures > mostFailures) failAll(pageErrors.disconnected)
    for (const request of [...unanswered.values()]) send(request)
  }

  function send(request: PageRequest): void {
    port ??= open()
    port?.postMessage(request)
  }

  return {
    request: (request) => {
      const { id, text } = request
      if (text.length > longestRequest)
        return post({
          id,
          error: {
            ...pageErrors.invalidParams,
            message: `The request exceeds ${longestRequest} characters.`,
          },
        })
      if (unanswered.size >= mostUnanswered) return post({ id, error: pageErrors.tooMany })
      unanswered.set(id, request)
      send(request)
    },
    // When a page enters the back/forward cache, the browser closes its port without an event in the page. The worker then closes the
    // page's requests, so the page must not wait for their answers.
    leave: () => {
      port = undefined
      failAll({
        ...pageErrors.rejected,
        message: 'The page was closed or left, so its request was closed too.',
      })
    },
  }
}

/** Attempts to reach a worker that does not start, within about 20 seconds. */
const mostFailures = 14
