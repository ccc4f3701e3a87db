/** What an API key may be for: the roles of a merchant's people (PROTOCOL.md 1.3). */
export const keyScopes = [
  'admin',
  'editor',
  'chargeback',
  'chargeback_analyst',
  'viewer',
  'seller',
  'pos_device',
] as const
export type KeyScope = (typeof keyScopes)[number]
