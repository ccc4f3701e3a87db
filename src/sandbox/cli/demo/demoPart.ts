import type { DemoSandbox } from './demoSandbox.ts'

/** One part of the demo: runs on the demo's sandbox, throws when a check fails, and prints afterwards. */
export type DemoPart = {
  title: string
  /** @returns what prints the result, once all parts are through */
  run: (demo: DemoSandbox, progress: (text: string) => void) => Promise<() => void>
}

/** Ends the demo: something is not as it says. */
class DemoError extends Error {
  override readonly name = 'DemoError'
}

/** Throws unless it is so. */
export function check(isTrue: boolean, what: string): asserts isTrue {
  if (!isTrue) throw new DemoError(`Not as it should be: ${what}`)
}
