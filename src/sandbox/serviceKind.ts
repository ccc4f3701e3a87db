/**
 * What the nonces of permits say: `bound` ones commit to an intent, as ours do; `unbound` ones are random bytes, as with
 * services in the field (PROTOCOL.md 4.6).
 */
export type ServiceKind = 'bound' | 'unbound'
