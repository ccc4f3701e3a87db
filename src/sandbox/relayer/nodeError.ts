import { safeCause } from '../../core/errors/safeCause.ts'
import { ChainReadError } from '../../evm/client/chainReadError.ts'

/**
 * What is thrown when a node failed at a call that holds signatures: libraries show what they sent, and logs keep it.
 *
 * @param options.data what was sent, with whatever is secret in it
 */
export function nodeError(
  what: string,
  options: { error: unknown; data: string; signatures?: readonly string[] | undefined },
): ChainReadError {
  const { error, data, signatures = [] } = options
  const secrets = [data, ...signatures].map((hex) => hex.slice(2)).filter((hex) => hex.length > 0)
  let words = error
  for (let depth = 0; depth < 8; depth++) {
    const next: unknown =
      typeof words === 'object' && words !== null && 'cause' in words ? words.cause : undefined
    if (next === undefined) break
    words = next
  }
  // What the node itself said is at the root.
  return new ChainReadError(what, { cause: safeCause(error, secrets) ?? safeCause(words, secrets) })
}
