import type { Stage } from './stage.ts'

/** One part of the demo: plays on the stage, throws when something is not as told, and prints afterwards. */
export type Act = {
  title: string
  /** @returns what prints the result, once all acts are through */
  play: (stage: Stage, progress: (text: string) => void) => Promise<() => void>
}

/** Ends the demo: something did not go as it says. */
export class DemoError extends Error {
  override readonly name = 'DemoError'
}

/** Throws unless what was told is so. */
export function told(isSo: boolean, what: string): asserts isSo {
  if (!isSo) throw new DemoError(`Not as told: ${what}`)
}
