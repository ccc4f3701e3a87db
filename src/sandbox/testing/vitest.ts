import { expect } from 'vitest'
import { matchers, type RedeemMatchers } from './matchers.ts'

export { SharedForkError, setupFork } from './fork/setupFork.ts'

expect.extend(matchers)

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: the parameter is Vitest's own, and has to be declared as it is there.
  interface Matchers<T = any> extends RedeemMatchers<T> {}
}
