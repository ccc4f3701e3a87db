import type { Page } from 'playwright-core'
import {
  type Hex,
  hashTypedData,
  parseSignature,
  serializeCompactSignature,
  serializeSignature,
  signatureToCompactSignature,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Visitor, VisitorOptions } from './newVisitor.ts'
import type { OpenShop } from './openShop.ts'

type Asked = { method: string; params?: readonly unknown[] }

type Tools = {
  honest: (request: Asked) => Promise<unknown>
  emit: (event: string, ...values: unknown[]) => void
  inForm: (signature: unknown, form: keyof typeof forms) => Promise<string>
  signAsAnother: (request: Asked) => Promise<string>
  /** Kept while the page is open. */
  memory: Record<string, unknown>
  isSigning: (request: Asked) => boolean
  /** Whether this is the second of two signatures. */
  isSecond: (request: Asked) => boolean
  /** Whether the page was connected earlier. */
  isConnected: () => boolean
  /** Waits for the test. */
  held: () => Promise<void>
}

/** Runs in the page, so it must not use outer variables. */
export type Behaviour = (request: Asked, tools: Tools) => unknown

export type Standing = {
  info?: Record<string, unknown>
  /** Runs in the page: replaces the provider. */
  provider?: (provider: object) => unknown
  /** Runs in the page, after the wallet was announced. */
  also?: (announce: (info: object, provider?: unknown) => void) => void
}

const forms = {
  yParity: (signature: Hex) => {
    const { r, s, yParity } = parseSignature(signature)
    return `${r}${s.slice(2)}0${yParity}`
  },
  compact: (signature: Hex) =>
    serializeCompactSignature(signatureToCompactSignature(parseSignature(signature))),
  highS: (signature: Hex) => {
    const { r, s, yParity } = parseSignature(signature)
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const other = `0x${(order - BigInt(s)).toString(16).padStart(64, '0')}` as const
    return serializeSignature({ r, s: other, yParity: 1 - yParity })
  },
} as const

/** The wallet has the visitor's key. */
async function announceStrange(
  { context, wallet }: Visitor,
  behave: Behaviour,
  { info, provider, also }: Standing = {},
): Promise<void> {
  const another = privateKeyToAccount(generatePrivateKey())
  await context.exposeFunction('strangeForm', (signature: Hex, form: keyof typeof forms) =>
    forms[form](signature),
  )
  await context.exposeFunction('strangeOther', (text: string) => {
    const { types, ...typedData } = JSON.parse(text)
    const { EIP712Domain: _, ...own } = types
    return another.sign({ hash: hashTypedData({ ...typedData, types: own }) })
  })
  wallet.beforeSigning = async () => {}
  await context.addInitScript(`(() => {
    const listeners = new Map()
    const honest = async (request) => {
      const { result, error } = JSON.parse(await window.askTestWallet(JSON.stringify(request)))
      if (error !== undefined) throw Object.assign(new Error(error.message), { code: error.code })
      return result
    }
    const emit = (event, ...values) => { for (const one of listeners.get(event) ?? []) one(...values) }
    const isSigning = ({ method }) => method === 'eth_signTypedData_v4'
    const isSecond = (request) => isSigning(request) && JSON.parse(request.params[1]).primaryType !== 'CreditsAuthorization'
    let letGo
    const open = new Promise((resolve) => { letGo = resolve })
    window.letGoOfWallet = letGo
    const tools = {
      honest, emit, isSigning, isSecond, memory: {},
      isConnected: () => window.isWatched === true,
      held: () => open,
      inForm: (signature, form) => window.strangeForm(signature, form),
      signAsAnother: ({ params }) => window.strangeOther(params[1]),
    }
    const behave = ${behave}
    const own = {
      request: (request) => {
        if (localStorage.getItem('isHonest') === '1') return honest(request)
        try { return behave(request, tools) } catch (error) { return Promise.reject(error) }
      },
      on(event, listener) { listeners.set(event, (listeners.get(event) ?? new Set()).add(listener)); return own },
      removeListener(event, listener) { listeners.get(event)?.delete(listener); return own },
    }
    window.emitFromTestWallet = emit
    const provider = (${provider ?? '(one) => one'})(own)
    const usual = { uuid: crypto.randomUUID(), name: 'Strange', icon: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=', rdns: 'com.example.strange' }
    const announced = []
    const announce = (more, other = provider) => {
      const detail = Object.freeze({ info: Object.freeze({ ...usual, ...more }), provider: other })
      announced.push(detail)
      window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    }
    window.addEventListener('eip6963:requestProvider', () => {
      for (const detail of announced) window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    })
    announce(${JSON.stringify(info ?? {})})
    ;(${also ?? '() => {}'})(announce)
  })()`)
}

/** From here on, the wallet behaves well, even after a reload. */
export const beHonest = (page: Page) => page.evaluate(() => localStorage.setItem('isHonest', '1'))

/** From here on, the wallet behaves as it does once connected: the page knows its account. */
export const watch = (page: Page) => page.evaluate(() => void Object.assign(window, { isWatched: true }))

export const letGo = (page: Page) => page.evaluate('letGoOfWallet()')

export async function newStrangeVisitor(
  stage: OpenShop,
  options: VisitorOptions,
  behave: Behaviour,
  standing?: Standing,
): Promise<Visitor> {
  const visitor = await stage.newVisitor({ ...options, announcesWallet: false })
  await announceStrange(visitor, behave, standing)
  return visitor
}
