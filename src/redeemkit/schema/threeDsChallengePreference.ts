import * as z from 'zod/mini'

/** When a card payment requires a 3DS challenge (PROTOCOL.md 11.15). */
export const threeDsChallengePreference = z.enum(['NoPreference', 'Frictionless', 'Challenge'])
export type ThreeDsChallengePreference = z.infer<typeof threeDsChallengePreference>
