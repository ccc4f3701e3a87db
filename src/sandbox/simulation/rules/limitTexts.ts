import { mostMinimumGas, permitMaximumSeconds } from '../../../redeemkit/core/limits.ts'

/** The maximum lifetime of a permit. */
export const permitMaximumText = `${permitMaximumSeconds / 60n} minutes`

/** The gas that a whitelist entry can require: the least and the most. */
export const minimumGasRange = `1 to ${mostMinimumGas.toLocaleString('en-US')}`
