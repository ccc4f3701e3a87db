/**
 * Whether text comes back from the database as it went in. PostgreSQL takes no NUL, and half of a surrogate pair has no
 * UTF-8 form.
 */
export function isStorableText(text: string): boolean {
  return !/\0|\p{Surrogate}/u.test(text)
}
