/** A message of the card form (PROTOCOL.md 10.8), of which nothing is known but its type. */
export type FormMessage = { type: string } & Record<string, unknown>

const mark = { svc: 'card-form', version: 1 } as const

/**
 * Messages with the form in a frame, and with nobody else: taken from that frame's window and the service's origin only, and sent to
 * that origin by name, never to any.
 *
 * @returns what sends, and what ends the listening
 */
export function openFormChannel(
  frame: HTMLIFrameElement,
  options: { origin: string; onMessage: (message: FormMessage) => void },
): { send: (type: string, facts: Record<string, unknown>) => void; close: () => void } {
  const { origin, onMessage } = options
  const listener = (event: MessageEvent<unknown>) => {
    if (event.source === null || event.source !== frame.contentWindow || event.origin !== origin) return
    const message = Object(event.data) as Record<string, unknown> // each field is looked at
    if (message.svc !== mark.svc || message.version !== mark.version || typeof message.type !== 'string')
      return
    onMessage({ ...message, type: message.type })
  }
  window.addEventListener('message', listener)
  return {
    send: (type, facts) => frame.contentWindow?.postMessage({ ...mark, ...facts, type }, origin),
    close: () => window.removeEventListener('message', listener),
  }
}

/** Text of a message, cut to a bounded length; undefined when it is none. */
export function textIn(message: FormMessage, name: string, most = 256): string | undefined {
  const value = message[name]
  return typeof value === 'string' && value !== '' ? value.slice(0, most) : undefined
}
