/**
 * The limits of a credit permit (PROTOCOL.md 3.3), in one place: client, inspectors and service read them here.
 */

/** A permit lives longer than this when it is signed, in seconds. */
export const permitMinimumSeconds = 30n

/** A permit lives at most this long when it is signed, in seconds. The service refuses a longer one, too. */
export const permitMaximumSeconds = 3_600n

/** How long the permits of the local service live when nothing else is configured, in seconds. */
export const permitDefaultSeconds = 1_800

/** The highest gas fee that is accepted when the caller names none, in US cents. */
export const defaultMaxGasFeeCents = 100
