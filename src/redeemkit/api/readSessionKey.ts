import { checkHeader } from './clientOptions.ts'
import { SessionKeyError } from './errors.ts'
import type { CredentialStore } from './paymentsClient.ts'

/** If the cached key is `stale`, fetches another. */
export async function readSessionKey(
  store: Pick<CredentialStore, 'sessionKey'>,
  sessionKey: SessionKeySource | undefined,
  stale?: string,
): Promise<string | undefined> {
  if (typeof sessionKey !== 'function') return sessionKey
  const ask = () => {
    const asked = { from: sessionKey, key: askForKey(sessionKey) }
    store.sessionKey = asked
    // a failure is not cached
    asked.key.catch(() => {
      if (store.sessionKey === asked) store.sessionKey = undefined
    })
    return asked
  }
  const current = () => (store.sessionKey?.from === sessionKey ? store.sessionKey : undefined)
  const held = current() ?? ask()
  const key = await held.key
  if (key !== stale) return key
  // Another call with the same stale key may have fetched a key meanwhile.
  const newer = current()
  return (newer === undefined || newer === held ? ask() : newer).key
}

/** A session key, or a function that returns one. */
export type SessionKeySource = string | (() => string | Promise<string>)

async function askForKey(ask: () => string | Promise<string>): Promise<string> {
  let key: unknown
  try {
    key = await ask()
    if (typeof key !== 'string') throw new TypeError('no text')
    checkHeader(key, 'sessionKey')
    return key
  } catch {
    // no `cause`: it may contain the key
    throw new SessionKeyError('The sessionKey function returned no session key.', {
      field: 'sessionKey',
      fix: 'Return the key as one line of text, and check the call to your own server.',
    })
  }
}
