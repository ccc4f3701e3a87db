import { isEvmBlockchain } from '../core/blockchains.ts'
import { checkHeader } from './clientOptions.ts'
import { SessionKeyError } from './errors.ts'
import type { KeptMessage } from './paymentsClient.ts'

/** What a client, and every client made of it by `with`, holds of credentials. */
export type CredentialStore = {
  /** Every credential that was ever held. */
  secrets: Set<string>
  /** By environment and base address, chain and wallet. */
  signedMessages: Map<string, KeptMessage>
  last?: (KeptMessage & { site: string }) | undefined
  sessionKey?: { from: () => string | Promise<string>; key: Promise<string> } | undefined
}

/** The key of a signed message: a credential is for one site, chain and wallet. */
export function keyOfMessage(
  site: string,
  { wallet, blockchain }: Pick<KeptMessage, 'wallet' | 'blockchain'>,
): string {
  return `${site} ${blockchain}:${isEvmBlockchain(blockchain) ? wallet.toLowerCase() : wallet}`
}

/**
 * The session key, asked for once and kept; another than `stale`, unless the function gives the same again.
 *
 * @throws {@link SessionKeyError} when the function fails, or gives no text that fits a header
 */
export async function readSessionKey(
  store: Pick<CredentialStore, 'sessionKey'>,
  sessionKey: SessionKeySource | undefined,
  stale?: string,
): Promise<string | undefined> {
  if (typeof sessionKey !== 'function') return sessionKey
  const ask = () => {
    const asked = { from: sessionKey, key: askForKey(sessionKey) }
    store.sessionKey = asked
    // A failure is not kept: the next call asks again.
    asked.key.catch(() => {
      if (store.sessionKey === asked) store.sessionKey = undefined
    })
    return asked
  }
  const current = () => (store.sessionKey?.from === sessionKey ? store.sessionKey : undefined)
  const held = current() ?? ask()
  const key = await held.key
  if (key !== stale) return key
  // Another call, refused at the same time, may have asked already.
  const newer = current()
  return (newer === undefined || newer === held ? ask() : newer).key
}

/** A session key as text, or what gives one. */
export type SessionKeySource = string | (() => string | Promise<string>)

async function askForKey(ask: () => string | Promise<string>): Promise<string> {
  let key: unknown
  try {
    key = await ask()
    if (typeof key !== 'string') throw new TypeError('no text')
    checkHeader(key, 'sessionKey')
    return key
  } catch {
    // The cause is left out: it may hold the key.
    throw new SessionKeyError('The sessionKey function gave no session key.', {
      field: 'sessionKey',
      fix: 'Let it resolve to the key as one line of text; check the call to your own server.',
    })
  }
}
