/** What is said of a call that failed without bytes that say why. */
export const outOfGas = 'it ran out of gas'
/** Replaced by the reason where there is one. */
export const reverted = 'it reverted'
export const noCoin = "it sent more of the chain's own coin than it has"
