import type { matchers } from './matchers.ts'

type Arguments<matcher> = matcher extends (received: never, ...args: infer args) => unknown ? args : never

/** The matchers as methods of `expect(received)`; of a promise, they are to be awaited. */
export type RedeemMatchers<received> = {
  [name in keyof typeof matchers]: (
    ...args: Arguments<(typeof matchers)[name]>
  ) => received extends PromiseLike<unknown> ? Promise<void> : void
}
