/** Seconds of validity that a permit must have left when it is signed, exclusive (PROTOCOL.md 3.3). */
export const permitMinimumSeconds = 30n

/** Maximum seconds of validity when a permit is signed. The service enforces it too (PROTOCOL.md 3.3). */
export const permitMaximumSeconds = 3_600n

export const permitDefaultSeconds = 1_800

export const defaultMaxGasFeeCents = 100

/** Enough for a small call (PROTOCOL.md 6.3). */
export const defaultMinimumGas = 100_000n

/** `MAX_MINIMUM_GAS` of the credits contract (PROTOCOL.md 6.3). */
export const mostMinimumGas = 15_500_000n

/** Maximum gas limit of a transaction (EIP-7825). */
export const mostTransactionGas = 16_777_216n

/** Every node accepts this size: Arbitrum's sequencer accepts 95,000 bytes of call data, geth 131,072. */
export const mostTransactionBytes = 95_000

/** Lifetime of session keys, signed messages and checkout JWTs, in hours (PROTOCOL.md 1.3). */
export const credentialHours = 24

/** How long an order by wire, Pix or mobile app can be paid, in minutes (PROTOCOL.md 10.1). */
export const orderMinutes = 5

/** A billion dollars in raw units of a 6-decimal token. No user approves or pays so much on purpose. */
export const absurdAmount = 1_000_000_000_000_000n
