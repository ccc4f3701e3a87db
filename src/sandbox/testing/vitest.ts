import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { BaseError } from '../../redeemkit/core/errors/baseError.ts'
import type { Fork } from './fork.ts'
import { matchers, type RedeemMatchers } from './matchers.ts'
import type { Snapshot } from './snapshots.ts'
import { startFork } from './startFork.ts'

expect.extend(matchers)

/**
 * The type that an assertion returns. The type parameters of `Matchers` changed in Vitest 5, so the declaration below has none and fits all
 * versions. In all of them, the first parameter of `toMatchSnapshot` has the keys of the received value.
 */
type Received<assertion> = assertion extends {
  toMatchSnapshot: { (snapshot: infer properties, hint?: string): unknown; (hint?: string): infer result }
}
  ? 'then' extends keyof properties
    ? Promise<unknown>
    : result
  : unknown

declare module 'vitest' {
  interface Matchers {
    toSettle: RedeemMatchers<Received<this>>['toSettle']
    toDeliverNft: RedeemMatchers<Received<this>>['toDeliverNft']
    toRevertWith: RedeemMatchers<Received<this>>['toRevertWith']
  }
}

/**
 * Starts a chain for the tests of one Vitest file, reverts it after each test, and stops it at the end. Each file has its own chain.
 * Changes made in a `beforeAll` hook persist for all later tests.
 *
 * Tests may move the clock, leave transactions pending or impersonate accounts: each of these is undone before the next test. For
 * `test.concurrent`, start a chain in each test with `startFork`.
 *
 * @returns the chain, for use in tests and hooks
 * @throws in hooks, errors of {@link startFork}; {@link SharedForkError} if tests of the file run concurrently
 * @example
 * ```ts
 * import { setupFork } from '@redeemkit/sandbox/testing/vitest'
 * const fork = setupFork({ blockchain: 'base' })
 * // test('…', async () => { await fork.fund({ wallet: fork.accounts.bob.address, usdc: 1_000_000n }) })
 * ```
 */
export function setupFork(options: setupFork.Options = {}): Fork {
  let fork: Fork | undefined
  /** Name of the running test, and the snapshot to revert to. */
  let running: string | undefined
  let before: Snapshot | undefined
  beforeAll(async () => {
    fork = await startFork(options)
  }, startTimeoutMs)
  beforeEach(async ({ task }) => {
    if (running !== undefined)
      throw new SharedForkError('Two tests of this file run concurrently on one chain.', {
        fix: 'Remove "concurrent", or start a chain in each test with startFork.',
      })
    running = task.id
    before = await fork?.snapshot()
  })
  afterEach(async ({ task }) => {
    if (fork === undefined || running !== task.id) return
    // Reports missing data in this test, and not in the next one.
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
    // Reads each property when a test uses it, because the chain starts later.
    get: (_, name) => {
      if (fork === undefined)
        throw new SharedForkError(`fork.${String(name)} was read while no chain is running.`, {
          fix: 'Read it in a test, or in a hook registered after setupFork: the chain starts in beforeAll.',
        })
      return Reflect.get(fork, name)
    },
  })
}

export declare namespace setupFork {
  type Options = startFork.Options
  type ErrorType = startFork.ErrorType | SharedForkError
}

/** Timeout of the start, because the first one creates the genesis file. */
const startTimeoutMs = 180_000

/** A test file used its chain while it was not running, or in concurrent tests. */
export class SharedForkError extends BaseError {
  override readonly name = 'SharedForkError'
}
