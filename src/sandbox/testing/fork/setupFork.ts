import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import type { Fork } from './fork.ts'
import type { Snapshot } from './snapshots.ts'
import { startFork } from './startFork.ts'

/**
 * A chain for the tests of one file, in Vitest: started before them, put back after each, ended after all. Files that run side by
 * side have chains of their own. What a `beforeAll` does is there for every test that comes after it.
 *
 * A test may leave the clock moved, transactions waiting, accounts impersonated: the next one starts as this one did. Tests that
 * are to run at once (`test.concurrent`) need chains of their own: `startFork`.
 *
 * @returns the chain, to be used in tests and hooks
 * @throws in the hooks, what {@link startFork} throws; {@link SharedForkError} when tests of the file run at once
 * @example
 * ```ts
 * import { setupFork } from '@redeemkit/sandbox/testing/vitest'
 * const fork = setupFork({ blockchain: 'base' })
 * // test('…', async () => { await fork.fund({ wallet: fork.people.bob.address, usdc: 1_000_000n }) })
 * ```
 */
export function setupFork(options: setupFork.Options = {}): Fork {
  let fork: Fork | undefined
  /** The test that runs, and what is gone back to after it. */
  let running: string | undefined
  let before: Snapshot | undefined
  beforeAll(async () => {
    fork = await startFork(options)
  }, startTimeoutMs)
  beforeEach(async ({ task }) => {
    if (running !== undefined)
      throw new SharedForkError('Two tests of this file run at once, on one chain.', {
        fix: 'Leave out "concurrent", or start a chain in the test itself: startFork.',
      })
    running = task.id
    before = await fork?.snapshot()
  })
  afterEach(async ({ task }) => {
    if (fork === undefined || running !== task.id) return
    // Why the test failed, and nothing that the next answer of the chain is to tell.
    const missing = fork.takeMissing()
    const start = before
    before = undefined
    try {
      if (start !== undefined) await fork.revert(start)
    } finally {
      running = undefined
    }
    const missed = missing ?? fork.takeMissing()
    if (missed !== undefined) throw missed
  })
  afterAll(async () => {
    await fork?.stop()
    fork = undefined
  })
  return new Proxy({} as Fork, {
    // Each property of the chain that runs, which is there when a hook or a test asks.
    get: (_, name) => {
      if (fork === undefined)
        throw new SharedForkError(`fork.${String(name)} was read while no chain runs.`, {
          fix: 'Read it in a test, or in a hook that is registered after setupFork: the chain starts in beforeAll.',
        })
      return Reflect.get(fork, name)
    },
  })
}

export declare namespace setupFork {
  type Options = startFork.Options
  type ErrorType = startFork.ErrorType | SharedForkError
}

/** A first start makes what later ones begin with. */
const startTimeoutMs = 180_000

/** The chain of a test file, used when it does not run, or by two tests at once. */
export class SharedForkError extends BaseError {
  override readonly name = 'SharedForkError'
}
