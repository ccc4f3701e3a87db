import { BudgetError } from './hostError.ts'

/** Counts instructions. */
export type Meter = {
  /** @throws {@link BudgetError} when they become more than there may be */
  charge: (instructions: number) => void
  /** How many there were. */
  instructions: () => number
}

/**
 * What things cost, in instructions. The order of size is the network's, whose own prices are measured on its machine: a
 * signature costs most. The instructions of Wasm itself are not counted.
 */
export const prices = {
  call: 60_000,
  /** One use of the host by a contract. */
  hostFunction: 2_000,
  /** One look at an entry, or one change of it. */
  entry: 10_000,
  /** A byte of Wasm that is made ready to run. */
  codeByte: 100,
  event: 5_000,
  /** A signature that is checked. */
  signature: 380_000,
}

/** Starts to count. */
export function createMeter(limit: number): Meter {
  let total = 0
  return {
    charge(instructions) {
      total += instructions
      if (total > limit) throw new BudgetError(`more than ${limit} instructions`)
    },
    instructions: () => total,
  }
}
