import { expect } from 'vitest'
import { matchers, type RedeemMatchers } from './matchers.ts'

export { SharedForkError, setupFork } from './fork/setupFork.ts'

expect.extend(matchers)

/**
 * The assertion's result, as a promise if the received value is one. `Matchers` has different type parameters in Vitest 5
 * and in Vitest 4, so an augmentation for both has no parameters. In both, `toMatchSnapshot` has the keys of the received value.
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
