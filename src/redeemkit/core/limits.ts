/** The limits of credit permits (PROTOCOL.md 3.3) and whitelist entries (6.3), of gas, of credentials (1.3) and of orders (10.1), for client, inspectors and service. */

/** Minimum remaining validity of a permit when it is signed, in seconds (exclusive). */
export const permitMinimumSeconds = 30n

/** Maximum remaining validity of a permit when it is signed, in seconds. The service rejects longer ones too. */
export const permitMaximumSeconds = 3_600n

/** Default validity of the local service's permits, in seconds. */
export const permitDefaultSeconds = 1_800

/** Default maximum gas fee, in US cents. */
export const defaultMaxGasFeeCents = 100

/** Default minimum gas of a whitelist entry: enough for a small call. */
export const defaultMinimumGas = 100_000n

/** The most gas that a whitelist entry can require: `MAX_MINIMUM_GAS` of the credits contract. */
export const mostMinimumGas = 15_500_000n

/** The most gas that a transaction can have (EIP-7825). */
export const mostTransactionGas = 16_777_216n

/** The most bytes that every node accepts in a signed transaction: Arbitrum's sequencer takes 95,000 of call data, geth 131,072. */
export const mostTransactionBytes = 95_000

/** Lifetime of session keys, signed messages and checkout JWTs, in hours (PROTOCOL.md 1.3). */
export const credentialHours = 24

/** How long an order by wire, Pix or mobile app can be paid, in minutes (PROTOCOL.md 10.1). */
export const orderMinutes = 5

/** A billion dollars in raw units of a 6-decimal token: more than a user approves or pays on purpose. */
export const absurdAmount = 1_000_000_000_000_000n
