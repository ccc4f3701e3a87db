export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function textOf(value: unknown, most: number): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= most ? value : undefined
}

export type Settings = {
  merchantId: string
  /** Origin of the embedding page. */
  parent: string
  environment: 'sandbox' | 'prod'
  headers: Record<'sessionKey' | 'wallet' | 'blockchain' | 'userId' | 'deviceId', string>
}

export function readSettings(): Settings {
  // `cardPage` has written this attribute.
  return JSON.parse(document.documentElement.dataset.settings ?? '{}') as Settings
}

/** The embedding page's request to show the form (PROTOCOL.md 10.8). */
export type Start = {
  sessionKey: string
  jwtToken: string | undefined
  order: Record<string, unknown>
  purchaseId: string
  wallet: string | undefined
  blockchain: string | undefined
  userId: string | undefined
  deviceId: string | undefined
  email: string | undefined
  environment: string | undefined
  offersSaving: boolean
  look: Look
}

export type Look = {
  language: string | undefined
  colorScheme: string | undefined
  variables: Record<string, unknown>
}

export type Channel = {
  tell: (type: string, facts?: Record<string, unknown>) => void
  /** Requests a new session key from the embedding page; undefined after a timeout. */
  askSessionKey: () => Promise<string | undefined>
}

const mark = { svc: 'card-form', version: 1 } as const

/** Accepts messages only from the embedding page's window and origin, and names that origin as the target of its own messages. */
export function openChannel(
  parent: string,
  on: { start: (start: Start) => void; look: (look: Look) => void },
): Channel {
  let giveKey: ((key: string | undefined) => void) | undefined
  addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
    if (source !== window.parent || origin !== parent || !isRecord(data)) return
    if (data.svc !== mark.svc || data.version !== mark.version) return
    if (data.type === 'look') on.look(readLook(data.look))
    if (data.type === 'sessionKey') giveKey?.(textOf(data.sessionKey, mostKey))
    const start = data.type === 'start' ? readStart(data) : undefined
    if (start !== undefined) on.start(start)
  })
  const tell: Channel['tell'] = (type, facts = {}) =>
    window.parent.postMessage({ ...mark, ...facts, type }, parent)
  return {
    tell,
    askSessionKey: () =>
      new Promise((resolve) => {
        const late = setTimeout(() => resolve(undefined), keyMs)
        giveKey = (key) => {
          clearTimeout(late)
          giveKey = undefined
          resolve(key)
        }
        tell('sessionKey')
      }),
  }
}

const mostKey = 8_192
const keyMs = 20_000
const mostOrder = 128 * 1024

function readStart(data: Record<string, unknown>): Start | undefined {
  const sessionKey = textOf(data.sessionKey, mostKey)
  const purchaseId = textOf(data.purchaseId, 256)
  const order = isRecord(data.order) ? data.order : {}
  if (sessionKey === undefined || purchaseId === undefined) return undefined
  if (JSON.stringify(order).length > mostOrder) return undefined
  return {
    sessionKey,
    purchaseId,
    order,
    jwtToken: textOf(data.jwtToken, 64 * 1024),
    wallet: textOf(data.wallet, 256),
    blockchain: textOf(data.blockchain, 32),
    userId: textOf(data.userId, 256),
    deviceId: textOf(data.deviceId, 256),
    email: textOf(data.email, 256),
    environment: textOf(data.environment, 16),
    offersSaving: data.offersSaving === true,
    look: readLook(data.look),
  }
}

function readLook(look: unknown): Look {
  const { language, colorScheme, variables } = isRecord(look) ? look : {}
  return {
    language: textOf(language, 16),
    colorScheme: textOf(colorScheme, 8),
    variables: isRecord(variables) ? variables : {},
  }
}
