import type { Clock } from '../../core/time/clock.ts'
import type { MerchantClient } from '../createMerchantClient.ts'
import type { MerchantUser } from './readAsked.ts'

export type SessionKeys = {
  /** Once there is a key of the user, a function that gives it, and a new one when it is asked again: after a 401. */
  of: (user: MerchantUser) => Promise<() => Promise<string>>
  /** Lets the next call ask for a new one. */
  forget: (user: MerchantUser) => void
}

/** A key is good for 24 hours (PROTOCOL.md 1.3): here it is used for one. */
const keptMs = 60 * 60 * 1000
const mostKept = 1_000

/** Session keys of the users who ask, kept on the server for as many as asked last. */
export function createSessionKeys(
  client: Pick<MerchantClient, 'getSessionKey'>,
  now: Clock = Date.now,
): SessionKeys {
  const kept = new Map<string, { key: Promise<string>; until: number }>()
  const ask = (name: string, user: MerchantUser) => {
    const entry = {
      key: client.getSessionKey({ ...user }).then(({ key }) => key),
      until: now() + keptMs,
    }
    kept.set(name, entry)
    entry.key.catch(() => {
      if (kept.get(name) === entry) kept.delete(name)
    })
    const [oldest] = kept.keys()
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
    return entry
  }
  const nameOf = (user: MerchantUser) => JSON.stringify([user.userId, user.wallet, user.blockchain])
  const of: SessionKeys['of'] = async (user) => {
    const name = nameOf(user)
    const found = kept.get(name)
    const entry = found !== undefined && found.until > now() ? found : ask(name, user)
    // At the end of the order, which is that of use.
    kept.delete(name)
    kept.set(name, entry)
    const first = await entry.key
    let isAsked = false
    return () => {
      if (isAsked) return ask(name, user).key
      isAsked = true
      return Promise.resolve(first)
    }
  }
  return { of, forget: (user) => kept.delete(nameOf(user)) }
}
