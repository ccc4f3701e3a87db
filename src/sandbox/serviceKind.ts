/**
 * The nonces of permits: `bound` ones commit to an intent; `unbound` ones are random, like those of other deployed
 * services (PROTOCOL.md 4.6).
 */
export type ServiceKind = 'bound' | 'unbound'
