import { toDeliverNft } from './toDeliverNft.ts'
import { toRevertWith } from './toRevertWith.ts'
import { toSettle } from './toSettle.ts'

/**
 * Matchers on the report of a redeem: `toSettle`, `toDeliverNft`, `toRevertWith`. `@redeemkit/sandbox/testing/vitest` registers them
 * in Vitest; elsewhere it is one call.
 *
 * @example
 * ```ts
 * import { matchers } from '@redeemkit/sandbox/testing'
 * declare const expect: { extend: (matchers: object) => void } // of the test runner
 * expect.extend(matchers)
 * ```
 */
export const matchers = { toSettle, toDeliverNft, toRevertWith }
