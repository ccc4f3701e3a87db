import { speakButton } from '../core/userMessage/buttonEnglish.ts'
import type { UserMessages } from '../core/userMessage/userMessages.ts'
import { loadedEngine } from './engine/loadEngine.ts'
import type { Redeemkit } from './kit.ts'
import type { messageOf } from './messageOf.ts'

let brought: typeof messageOf | undefined

/** Lets `errorText` use `messageOf` without the engine. */
export function bringMessages(own: typeof messageOf): void {
  brought = own
}

/** Returns the customer's message. Until the engine is loaded, only a failure to load a file has its own message. */
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
