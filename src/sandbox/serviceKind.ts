/**
 * How a service chooses the nonces of permits. `intentBound`: nonces commit to an intent. `randomNonce`: nonces are random, as on
 * most deployed services (PROTOCOL.md 4.6).
 */
export type ServiceKind = 'intentBound' | 'randomNonce'
