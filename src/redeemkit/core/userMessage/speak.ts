import { english } from './english.ts'
import type { UserMessageKey, UserMessages } from './userMessages.ts'

/** A sentence of a catalogue, or else the English one, with its placeholders filled. */
export function speak(
  messages: Partial<UserMessages>,
  key: UserMessageKey,
  values: Readonly<Record<string, string>>,
): string {
  const text = messages[key] ?? english[key]
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder)
}
