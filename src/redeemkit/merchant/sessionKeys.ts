import type { Clock } from '../core/clock.ts'
import type { MerchantClient } from './createMerchantClient.ts'
import type { MerchantUser } from './readAsked.ts'

export type SessionKeys = {
  /** Returns the session key source for one call of the service: first the user's key, then a new key each time. */
  of: (user: MerchantUser) => Promise<() => Promise<string>>
  forget: (user: MerchantUser) => void
}

/** How long a key is used: for less time than it is valid (PROTOCOL.md 1.3). */
const keptMs = 3_600_000
const mostKept = 1_000

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
    // moved to the end, so that `ask` removes the least recently used key
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
