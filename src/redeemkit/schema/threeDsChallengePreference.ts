import * as z from 'zod/mini'

/** When a payment by card is challenged (PROTOCOL.md 11.15). */
export const threeDsChallengePreference = z.enum(['NoPreference', 'Frictionless', 'Challenge'])
export type ThreeDsChallengePreference = z.infer<typeof threeDsChallengePreference>
