/** Limits of credit permits (PROTOCOL.md 3.3), whitelist entries (6.3), gas, credentials (1.3) and orders (10.1). */

/** Minimum remaining validity of a permit when it is signed, in seconds (exclusive). */
export const permitMinimumSeconds = 30n

/** Maximum remaining validity of a permit when it is signed, in seconds. The service enforces it too. */
export const permitMaximumSeconds = 3_600n

/** Default validity of the local service's permits, in seconds. */
export const permitDefaultSeconds = 1_800

/** Default maximum gas fee, in US cents. */
export const defaultMaxGasFeeCents = 100

/** Default minimum gas of a whitelist entry: enough for a small call. */
export const defaultMinimumGas = 100_000n

/** Maximum gas that a whitelist entry can require: `MAX_MINIMUM_GAS` of the credits contract. */
export const mostMinimumGas = 15_500_000n

/** Maximum gas limit of a transaction (EIP-7825). */
export const mostTransactionGas = 16_777_216n

/** Maximum size of a signed transaction that every node accepts: Arbitrum's sequencer accepts 95,000 bytes of call data, geth 131,072. */
export const mostTransactionBytes = 95_000

/** Lifetime of session keys, signed messages and checkout JWTs, in hours (PROTOCOL.md 1.3). */
export const credentialHours = 24

/** How long an order by wire, Pix or mobile app can be paid, in minutes (PROTOCOL.md 10.1). */
export const orderMinutes = 5

/** A billion dollars in raw units of a 6-decimal token. No user approves or pays so much on purpose. */
export const absurdAmount = 1_000_000_000_000_000n
