import { InvalidAddressError, InvalidRecordError } from '../core/errors/inputErrors.ts'
import { wireErrors } from '../core/errors/wireErrors.ts'
import { headerNames } from '../core/headerNames.ts'
import { parseJson } from '../core/json/parseJson.ts'
import { checkAddress } from '../evm/checkAddress.ts'
import { endpoints } from '../schema/endpoints/endpoints.ts'
import type { ErrorBody } from '../schema/errorBody.ts'
import { type Asked, answers } from './answers.ts'
import { hashOf, type MockCall, type MockWorld, mockCalls } from './mockWorld.ts'
import { faultOf, Refusal } from './refusal.ts'

/** The type of a client's `fetch` option. */
export type MockFetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/**
 * Creates a `fetch` that simulates the service and the merchant's server. It answers from memory in the wire format (PROTOCOL.md
 * 2), or fails as the settings say.
 */
export function createMockFetch(world: MockWorld): MockFetch {
  return async (url, { method = 'GET', headers, body: sent, signal } = {}) => {
    // a page may call its own server with a relative URL
    const call = callOf(method, new URL(url, world.terms.baseUrl).pathname)
    if (call === undefined) return written(world, new Refusal('NOT_FOUND', 'The mock has no such call.'))
    const body: unknown = typeof sent === 'string' ? parseJson(sent) : undefined
    world.asked.push({ call, body })
    await pause(world.settings.delayMs, signal)
    const fault = faultOf(world, call)
    if (world.settings.offline || fault === 'offline') throw noAnswer()
    if (fault === 'hangs') await pause(Infinity, signal)
    if (fault instanceof Refusal) return written(world, fault)
    const response = written(world, await answerTo(world, call, readAsked(new Headers(headers), body)))
    if (fault === 'lost') throw noAnswer()
    return response
  }
}

/** The error of a browser's `fetch` when the connection fails. */
const noAnswer = () => new TypeError('Failed to fetch')

/** Waits, unless the caller aborts. */
function pause(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  if (ms === 0) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal?.reason)
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop, { once: true })
    if (ms !== Infinity) setTimeout(resolve, ms)
  })
}

/**
 * Finds the call of a path: the service's under `/api`; otherwise the merchant handler's, named by the last segment (PROTOCOL.md
 * 1.6).
 */
function callOf(method: string, path: string): MockCall | undefined {
  const parts = path.split('/')
  const found = endpoints.find((endpoint) => {
    if (endpoint.method !== method) return false
    if (parts[1] !== 'api') return endpoint.id === parts.at(-1)
    const wanted = endpoint.path.split('/')
    return (
      wanted.length === parts.length && wanted.every((part, at) => part.startsWith('{') || part === parts[at])
    )
  })
  return mockCalls.find((call) => call === found?.id)
}

function readAsked(headers: Headers, body: unknown): Asked {
  const names = headerNames()
  const wallet = headers.get(names.wallet)
  return {
    body,
    wallet: wallet === null ? undefined : checkAddress(wallet, names.wallet),
    isSignedIn: headers.has(names.signedMessage),
  }
}

async function answerTo(world: MockWorld, call: MockCall, asked: Asked): Promise<unknown> {
  try {
    return await answers[call](world, asked)
  } catch (error) {
    if (error instanceof InvalidRecordError)
      return new Refusal('INVALID_REQUEST', error.shortMessage, {
        issues: error.issues.map(({ path }) => path),
      })
    if (error instanceof InvalidAddressError)
      return new Refusal('INVALID_REQUEST', error.shortMessage, { issues: [error.field ?? 'body'] })
    throw error
  }
}

/** Formats an answer, or an error as in PROTOCOL.md 7.1. */
function written(world: MockWorld, answer: unknown): Response {
  if (!(answer instanceof Refusal)) return json(answer, 200)
  const { code, message, more } = answer
  const { status, name } = wireErrors[code]
  const { details, issues, retryAfterSeconds } = more
  const body: ErrorBody = {
    name,
    message,
    code,
    ...(details && { details }),
    ...(issues && { issues: [...issues] }),
    requestId: `mock-${hashOf(`${world.asked.length}`).slice(2, 10)}`,
  }
  return json(body, status, retryAfterSeconds === undefined ? {} : { 'retry-after': `${retryAfterSeconds}` })
}

const json = (body: unknown, status: number, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })
