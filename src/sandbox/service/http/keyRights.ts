import type { KeyScope } from '../../store/keyScopes.ts'

/** What a call with an API key does: reads, sells, pays out to a seller, answers a dispute, or changes anything else. */
type Right = 'read' | 'sell' | 'payOut' | 'dispute' | 'manage'

/** What a key of each scope may do (PROTOCOL.md 1.3). */
const rights: Record<KeyScope, readonly Right[]> = {
  admin: ['read', 'sell', 'payOut', 'dispute', 'manage'],
  editor: ['read', 'sell', 'payOut', 'dispute', 'manage'],
  chargeback: ['read', 'dispute'],
  chargeback_analyst: ['read'],
  viewer: ['read'],
  seller: ['read', 'sell', 'payOut'],
  pos_device: ['sell'],
}

/** Whether an API key of this scope is good for a call. */
export function mayUse(scope: KeyScope, call: { method: string; path: string }): boolean {
  return rights[scope].includes(rightOf(call))
}

/** Paths that are not told by their method alone: first fitting one counts. */
const paths: readonly [RegExp, Right][] = [
  // A GET that makes a credential.
  [/^\/api\/auth\/session-key$/, 'sell'],
  [/^\/api\/(checkout|tokenize)(\/|$)/, 'sell'],
  [/^\/api\/seller\//, 'payOut'],
  [/^\/api\/merchant\/chargebacks\//, 'dispute'],
]

function rightOf({ method, path }: { method: string; path: string }): Right {
  const special = paths.find(([pattern]) => pattern.test(path))
  return special?.[1] ?? (method === 'GET' ? 'read' : 'manage')
}
