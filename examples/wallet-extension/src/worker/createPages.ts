import {
  longestRequest,
  mostUnanswered,
  type PageAnswer,
  type PageError,
  PageRequestError,
  pageErrors,
} from '../pageMessages.ts'
import type { Queue } from './createQueue.ts'
import type { Sites } from './createSites.ts'
import type { pageMethods } from './pageMethods.ts'
import type { PageDocument } from './platform.ts'

export type PageConnection = { receive: (message: unknown) => Promise<void>; close: () => Promise<void> }

/** `document` is the sender, as reported by the browser. */
export function createPages(parts: {
  ready: Promise<{
    queue: Queue
    sites: Sites
    methods: ReturnType<typeof pageMethods>
    beforeAnswer: () => Promise<void>
  }>
}): { connect: (document: PageDocument, post: (message: PageAnswer) => void) => PageConnection } {
  return {
    connect: (document, post) => {
      const { documentId } = document
      const running = new Set<string>()
      let isOpen = true

      async function answer(requestId: string, text: string): Promise<PageAnswer | undefined> {
        const { queue, sites, methods, beforeAnswer } = await parts.ready
        await beforeAnswer()
        queue.connect(documentId, post)
        if (queue.repeat(documentId, requestId)) return undefined
        const { method, params } = readRequest(text)
        const run = methods.get(method)
        // Checked first, so that an unknown method returns 4200 regardless of its params.
        if (run === undefined) throw new PageRequestError('unsupportedMethod')
        if (!Array.isArray(params)) throw new PageRequestError('invalidParams', 'The params must be a list.')
        // Stored before the method runs, because the method may change the accounts or the chain.
        await sites.remember(document)
        const answered = await run({ document, requestId, params })
        return answered && { id: requestId, ...answered }
      }

      return {
        receive: async (message) => {
          const { confirm, id, text } = Object(message)
          if (typeof confirm === 'string') return (await parts.ready).queue.confirm(documentId, confirm)
          if (typeof id !== 'string' || id.length > 64 || typeof text !== 'string' || running.has(id)) return
          if (running.size >= mostUnanswered) return post({ id, error: pageErrors.tooMany })
          running.add(id)
          try {
            if (text.length > longestRequest)
              throw new PageRequestError('invalidParams', 'The request is too long.')
            const answered = await answer(id, text)
            if (answered !== undefined && isOpen) post(answered)
          } catch (error) {
            if (isOpen) post({ id, error: toPageError(error) })
          } finally {
            running.delete(id)
            // The page may have been closed before the request was added.
            if (!isOpen) await (await parts.ready).queue.gone(documentId)
          }
        },
        close: async () => {
          isOpen = false
          await (await parts.ready).queue.gone(documentId)
        },
      }
    },
  }
}

function readRequest(text: string): { method: string; params: unknown } {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    throw new PageRequestError('invalidRequest')
  }
  const { method, params = [] } = Object(read)
  if (typeof method !== 'string') throw new PageRequestError('invalidRequest')
  return { method, params }
}

/** The page gets no other errors, because their text may contain secrets. */
function toPageError(error: unknown): PageError {
  if (!(error instanceof PageRequestError)) return pageErrors.internal
  const { code, message, data } = error
  return { code, message, ...(data !== undefined && { data }) }
}
