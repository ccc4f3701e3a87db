import { fillIn } from './buttonEnglish.ts'
import { english } from './english.ts'

/** Text that contains every placeholder of another text. */
type Sentence<text> = text extends `${string}{${infer name}}${infer rest}`
  ? `${string}{${name}}${string}` & Sentence<rest>
  : string

/** Key of a message: the error's name or its name on the wire, with a suffix where one error has several messages. */
export type UserMessageKey = Exclude<keyof typeof english, 'locale'>

/**
 * All messages of a language, with the placeholders of the English ones, and the locale (BCP 47) for amounts and times. An object
 * that `satisfies UserMessages` is complete; missing messages fall back to English.
 */
export type UserMessages = {
  readonly [key in UserMessageKey]: Sentence<(typeof english)[key]>
} & { readonly locale: string }

export function speak(
  messages: Partial<UserMessages>,
  key: UserMessageKey,
  values: Readonly<Record<string, string>>,
): string {
  return fillIn(messages[key] ?? english[key], values)
}
