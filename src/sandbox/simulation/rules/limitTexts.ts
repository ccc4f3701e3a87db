import { mostMinimumGas, permitMaximumSeconds } from '../../../redeemkit/core/limits.ts'

/** The maximum lifetime of a permit: `60 minutes`. */
export const permitMaximumText = `${permitMaximumSeconds / 60n} minutes`

/** The gas that a whitelist entry can require: `1 to 15,500,000`. */
export const minimumGasRange = `1 to ${mostMinimumGas.toLocaleString('en-US')}`
