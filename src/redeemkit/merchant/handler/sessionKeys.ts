import type { Clock } from '../../core/clock.ts'
import type { MerchantClient } from '../createMerchantClient.ts'
import type { MerchantUser } from './readAsked.ts'

export type SessionKeys = {
  /** Returns a function that yields the user's session key, and a new one if it is called again after a 401. */
  of: (user: MerchantUser) => Promise<() => Promise<string>>
  /** Makes the next call fetch a new key. */
  forget: (user: MerchantUser) => void
}

/** How long a key is reused. It is valid for longer (PROTOCOL.md 1.3). */
const keptMs = 3_600_000
const mostKept = 1_000

/** Caches session keys on the server, for the most recent users. */
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
    // moves it to the end: the least recently used key is evicted first
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
