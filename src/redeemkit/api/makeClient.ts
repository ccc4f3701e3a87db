import { readClock } from '../core/clock.ts'
import { headerNames } from '../core/headerNames.ts'
import {
  type ClientOptions,
  checkBlockchain,
  checkClientOptions,
  checkHeader,
  checkWallet,
} from './clientOptions.ts'
import { type CredentialStore, keyOfMessage } from './credentials.ts'
import type { KeptMessage, PaymentsClient } from './paymentsClient.ts'
import type { Sender } from './sendCall.ts'

export function makeClient(
  options: ClientOptions,
  sender: Sender,
  store: CredentialStore = { signedMessages: new Map(), secrets: new Set() },
): PaymentsClient {
  const baseUrl = checkClientOptions(options)
  const { merchantId, blockchain, environment, wallet, sessionKey, signedMessage, now = Date.now } = options
  readClock(now)
  const names = headerNames(options.headerPrefix)
  const site = `${environment} ${baseUrl}`

  const keep = (kept: KeptMessage) => {
    checkBlockchain(kept.blockchain)
    checkWallet(kept.wallet, kept.blockchain)
    checkHeader(kept.signedMessage, 'signedMessage')
    store.secrets.add(kept.signedMessage)
    store.signedMessages.set(keyOfMessage(site, kept), { ...kept })
    store.last = { ...kept, site }
  }
  if (typeof sessionKey === 'string') store.secrets.add(sessionKey)
  if (signedMessage !== undefined && wallet !== undefined) keep({ wallet, blockchain, signedMessage })

  return Object.freeze({
    baseUrl,
    merchantId,
    blockchain,
    environment,
    wallet,
    userId: options.userId,
    hasSessionKey: sessionKey !== undefined,
    now,
    request: (call) => sender.sendCall(call, { options, names, store, site, baseUrl }),
    keepSignedMessage: keep,
    // the type of `with` describes the result
    with: ((overrides: Partial<ClientOptions>) => {
      const changed = { ...options, signedMessage: undefined, ...overrides }
      const isSameCustomer =
        checkClientOptions(changed) === baseUrl &&
        changed.merchantId === merchantId &&
        (options.userId === undefined || changed.userId === options.userId)
      if (!isSameCustomer) changed.sessionKey = newSource(overrides.sessionKey)
      return makeClient(changed, sender, store)
    }) as PaymentsClient['with'],
  } satisfies PaymentsClient)
}

/** A cached key must not be used for another service, merchant or customer, so each client has its own function object. */
function newSource(sessionKey: ClientOptions['sessionKey']): ClientOptions['sessionKey'] {
  return typeof sessionKey === 'function' ? () => sessionKey() : sessionKey
}
