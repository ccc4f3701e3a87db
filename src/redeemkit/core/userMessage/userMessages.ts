import { english } from './english.ts'

/** Text in which each placeholder of another text stands, wherever. */
type Sentence<text> = text extends `${string}{${infer name}}${infer rest}`
  ? `${string}{${name}}${string}` & Sentence<rest>
  : string

/** Name of a sentence: the error's name, or its name on the wire, with what tells two cases of it apart. */
export type UserMessageKey = Exclude<keyof typeof english, 'locale'>

/**
 * Every sentence of a language, each with the placeholders that the English one has, and the locale (BCP 47) in which amounts
 * and times are written. An object that `satisfies UserMessages` lacks nothing; a part of one falls back to English.
 */
export type UserMessages = {
  readonly [key in UserMessageKey]: Sentence<(typeof english)[key]>
} & { readonly locale: string }

/** A sentence of a catalogue, or else the English one, with its placeholders filled. */
export function speak(
  messages: Partial<UserMessages>,
  key: UserMessageKey,
  values: Readonly<Record<string, string>>,
): string {
  const text = messages[key] ?? english[key]
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder)
}
