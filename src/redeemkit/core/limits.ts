/** The limits of a credit permit (PROTOCOL.md 3.3), for client, inspectors and service. */

/** Minimum remaining validity of a permit when it is signed, in seconds (exclusive). */
export const permitMinimumSeconds = 30n

/** Maximum remaining validity of a permit when it is signed, in seconds. The service rejects longer ones too. */
export const permitMaximumSeconds = 3_600n

/** Default validity of the local service's permits, in seconds. */
export const permitDefaultSeconds = 1_800

/** Default maximum gas fee, in US cents. */
export const defaultMaxGasFeeCents = 100
