/** How the person behind a wallet answers, where a request is shown. */
export type PersonOptions = {
  /** Which requests for a signature a person refuses: one, by its number from 1, or all. Default: none. */
  rejects?: 'first' | 'second' | 'every' | number | undefined
  /** What a refusal rejects with: thrown as it is. Default: the error of the chain's own standard. */
  refusal?: unknown
  /** Milliseconds until a person answers. Default 0. */
  answersAfterMs?: number | undefined
  /** Leaves every request for a signature without an answer. */
  neverAnswers?: boolean | undefined
}

/** What each of the options of a person may be. */
export const personKinds = {
  rejects: 'any',
  refusal: 'any',
  answersAfterMs: 'number?',
  neverAnswers: 'boolean?',
} as const

/**
 * A person who takes a while, never comes back, or says no.
 *
 * @param signature which signature they are asked for, from 1
 * @param usual what a refusal rejects with, unless the options say otherwise
 */
export async function askPerson(options: PersonOptions, signature: number, usual: unknown): Promise<void> {
  const { answersAfterMs = 0, neverAnswers, rejects, refusal = usual } = options
  if (answersAfterMs > 0) await new Promise((resolve) => setTimeout(resolve, answersAfterMs))
  if (neverAnswers === true) await new Promise(() => {})
  const numbers: readonly unknown[] = [signature, ['first', 'second'][signature - 1], 'every']
  if (rejects !== undefined && numbers.includes(rejects)) throw refusal
}
