import { loadModule, type ModuleLoadError } from '../../core/loadModule.ts'
import { speakButton } from '../../core/userMessage/buttonEnglish.ts'
import type { UserMessages } from '../../core/userMessage/userMessages.ts'
import type { Redeemkit } from '../kit.ts'
import type { messageOf } from '../messageOf.ts'

/** The code that a connected wallet needs: it checks, signs, submits and recovers redeems. */
export type Engine = typeof import('./engine.ts')

const load = /* @__PURE__ */ loadModule(() => import('./engine.ts'))
let engine: Engine | undefined

/**
 * Loads the engine once. Later calls return it from memory, so that a click does not wait for a file.
 *
 * @throws ModuleLoadError if it cannot be loaded; the next call tries again
 */
export async function loadEngine(): Promise<Engine> {
  engine ??= await load()
  return engine
}

export declare namespace loadEngine {
  type ErrorType = ModuleLoadError
}

export const loadedEngine = (): Engine | undefined => engine

let brought: typeof messageOf | undefined

/** Provides `messageOf` without the engine. */
export function bringMessages(own: typeof messageOf): void {
  brought = own
}

/** Provides `messageOf`, which is loaded with the engine. Until then, only a failure to load a file has its own message. */
export function errorText(
  kit: Redeemkit,
  error: unknown,
  options?: Parameters<typeof messageOf>[2],
): string | undefined {
  const speak = loadedEngine()?.messageOf ?? brought
  if (speak !== undefined) return speak(kit, error, options)
  if (error === null || error === undefined) return undefined
  const messages: Partial<UserMessages> = kit.messages
  return speakButton(messages, Object(error).name === 'ModuleLoadError' ? 'ModuleLoadError' : 'page')
}
