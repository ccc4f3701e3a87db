/** How well a password withstands guessing by a program. `weak` is not accepted. */
export type Strength = 'weak' | 'fair' | 'strong'

const usual =
  /(?:password|passwort|senha|wallet|crypto|bitcoin|ethereum|qwert|asdf|admin|welcome|letmein|iloveyou|dragon|monkey|abc|123)/gi

/** Estimates a password from its length and variety. A known word, a repeated character and a sequence count as one character. */
export function passwordStrength(password: string): Strength {
  const rest = password.replace(usual, 'w').replace(/(.)\1+/gu, '$1')
  const letters = [...rest].filter((letter, at, all) => !follows(all[at - 1], letter))
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((kind) => kind.test(rest)).length
  const points = letters.length + 2 * (kinds - 1)
  if (password.length < 10 || points < 12) return 'weak'
  return points < 18 ? 'fair' : 'strong'
}

function follows(before: string | undefined, letter: string): boolean {
  const step = letter.charCodeAt(0) - (before?.charCodeAt(0) ?? Number.NaN)
  return step === 1 || step === -1
}
