import { speakButton } from '../core/userMessage/buttonEnglish.ts'
import type { UserMessages } from '../core/userMessage/userMessages.ts'
import { loadedEngine } from './engine/loadEngine.ts'
import type { Redeemkit } from './kit.ts'
import type { messageOf } from './messageOf.ts'

/** `messageOf`, also before the engine is loaded: only its own failure is expected then. */
export function errorText(
  kit: Redeemkit,
  error: unknown,
  options?: Parameters<typeof messageOf>[2],
): string | undefined {
  const engine = loadedEngine()
  if (engine !== undefined) return engine.messageOf(kit, error, options)
  if (error === null || error === undefined) return undefined
  const messages: Partial<UserMessages> = kit.messages
  return speakButton(messages, Object(error).name === 'ModuleLoadError' ? 'ModuleLoadError' : 'page')
}
