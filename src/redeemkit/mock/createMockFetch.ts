import type { Address } from 'viem'
import { amountPerCent } from '../core/amount.ts'
import { InvalidAddressError, InvalidRecordError } from '../core/errors/inputErrors.ts'
import { wireErrors } from '../core/errors/wireErrors.ts'
import { headerNames } from '../core/headerNames.ts'
import { credentialHours } from '../core/limits.ts'
import { parseJson } from '../core/parseJson.ts'
import { checkAddress } from '../evm/checkAddress.ts'
import type { AuthMessageResponse } from '../schema/auth.ts'
import {
  cardCheckoutBody,
  mobileAppBody,
  pixBody,
  savedCardBody,
  totalsBody,
  wireTokenBody,
  zeroAuthorizationBody,
} from '../schema/checkout.ts'
import { endpoints } from '../schema/endpoints/endpoints.ts'
import type { ErrorBody } from '../schema/errorBody.ts'
import { parseRecord } from '../schema/parseRecord.ts'
import { creditsAuthMsgBody } from '../schema/redeem.ts'
import { sendGaslessTxBody } from '../schema/sendGaslessTxBody.ts'
import { purchaseSubscriptionBody } from '../schema/subscription.ts'
import { usdcAuthorizationBody } from '../schema/usdcAuthorization.ts'
import { mineRedeems } from './blocks.ts'
import {
  cardAnswer,
  mobileAppAnswer,
  pixAnswer,
  subscribeAnswer,
  totalsAnswer,
  wireAnswer,
  zeroAnswer,
} from './checkoutAnswers.ts'
import { fundsOf, hashOf, type MockCall, type MockWorld, mockCalls } from './mockWorld.ts'
import { prepareAnswer, submitAnswer, usdcAnswer } from './redeemAnswers.ts'
import { faultOf, Refusal } from './refusal.ts'

/** The type of a client's `fetch` option. */
export type MockFetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/** Simulates the service and the merchant's server in the wire format (PROTOCOL.md 2), or fails as the settings say. */
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

/** Creates the error of a browser's `fetch` when the connection fails. */
const noAnswer = () => new TypeError('Failed to fetch')

function pause(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  if (ms === 0) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal?.reason)
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop, { once: true })
    if (ms !== Infinity) setTimeout(resolve, ms)
  })
}

/** Finds the call of a path: the service's under `/api`, otherwise the merchant handler's with the name of the last segment. */
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

/** Writes an answer as a response. Errors have the format of PROTOCOL.md 7.1. */
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

type Asked = {
  body: unknown
  wallet: Address | undefined
  /** Whether the call has a sign-in credential. */
  isSignedIn: boolean
}

const answers: Readonly<Record<MockCall, (world: MockWorld, asked: Asked) => unknown>> = {
  getAuthMessage: (world, asked) => withWallet(asked, ({ wallet }) => signInAnswer(world, wallet)),
  verifyAuth: (_, { isSignedIn }) => (isSignedIn ? {} : signedOut()),
  getSessionKey: () => ({ key: 'mock-session-key' }),
  creditsAuthMsg: (world, asked) =>
    forSignedIn(world, asked, ({ body, wallet }) =>
      prepareAnswer(world, { body: parseRecord(creditsAuthMsgBody, body), wallet }),
    ),
  sendGaslessTx: (world, asked) =>
    forSignedIn(world, asked, ({ body, wallet }) =>
      submitAnswer(world, { body: parseRecord(sendGaslessTxBody, body), wallet }),
    ),
  getBalances: (world, asked) =>
    forSignedIn(world, asked, ({ wallet }) => {
      mineRedeems(world)
      const { credits, usdc } = fundsOf(world, wallet)
      return {
        credits: { cents: Number(credits / amountPerCent) },
        usdc: { cents: Number(usdc / amountPerCent) },
      }
    }),
  getContractAddress: ({ terms }) => ({ address: terms.pinned.creditsContract }),
  usdcAuthorization: (world, asked) =>
    withWallet(asked, ({ body, wallet }) =>
      usdcAnswer(world, { body: parseRecord(usdcAuthorizationBody, body), wallet }),
    ),
  getTotals: (_, { body }) => totalsAnswer(parseRecord(totalsBody, body)),
  cardCheckout: (world, { body, wallet }) => cardAnswer(world, parseRecord(cardCheckoutBody, body), wallet),
  savedCardCheckout: (world, { body, wallet }) => cardAnswer(world, parseRecord(savedCardBody, body), wallet),
  zeroAuthorization: (world, { body }) => {
    parseRecord(zeroAuthorizationBody, body)
    return zeroAnswer(world)
  },
  wireTokenCheckout: (world, { body }) => wireAnswer(world, parseRecord(wireTokenBody, body)),
  pixCheckout: (world, { body }) => pixAnswer(world, parseRecord(pixBody, body)),
  mobileAppCheckout: (world, { body }) => mobileAppAnswer(world, parseRecord(mobileAppBody, body)),
  getSavedCards: ({ settings }) => settings.cards,
  getPurchases: ({ purchases }) => ({ purchases: purchases.slice(0, 20) }),
  getPlans: ({ settings }) => settings.plans,
  purchaseSubscription: (world, { body }) =>
    subscribeAnswer(world, parseRecord(purchaseSubscriptionBody, body)),
}

type WithWallet = Asked & { wallet: Address }

function withWallet<answer>(asked: Asked, answer: (asked: WithWallet) => answer): answer | Refusal {
  const { wallet } = asked
  return wallet === undefined
    ? new Refusal('INVALID_REQUEST', 'The header that names the wallet is missing.', { issues: ['wallet'] })
    : answer({ ...asked, wallet })
}

function forSignedIn<answer>(
  { settings }: MockWorld,
  asked: Asked,
  answer: (asked: WithWallet) => answer,
): answer | Refusal {
  return settings.needsSignIn && !asked.isSignedIn ? signedOut() : withWallet(asked, answer)
}

const signedOut = () => new Refusal('UNAUTHENTICATED', 'This wallet is not signed in.')

/** Creates a sign-in message (EIP-4361). */
function signInAnswer({ terms }: MockWorld, wallet: Address): AuthMessageResponse {
  const { host, origin } = new URL(terms.baseUrl)
  const now = terms.now()
  const at = (ms: number) => new Date(ms).toISOString()
  const message = [
    `${host} wants you to sign in with your Ethereum account:`,
    wallet,
    '',
    'Sign in to pay with your credits.',
    '',
    `URI: ${origin}`,
    'Version: 1',
    `Chain ID: ${terms.chainId}`,
    `Nonce: ${hashOf(globalThis.crypto.randomUUID()).slice(2, 18)}`,
    `Issued At: ${at(now)}`,
    `Expiration Time: ${at(now + credentialHours * 3_600_000)}`,
  ].join('\n')
  return { message }
}
