/**
 * Whether an origin's error says that it does not have an old block's state, which a copy of that block needs: geth and what is
 * made from it, Erigon, Nethermind, Reth, Besu, Monad's node, and providers that keep it for those who pay.
 */
export function saysStateIsGone(words: string): boolean {
  return stateIsGone.test(words)
}

const stateIsGone =
  /missing trie node|header not found|\bstate\b.*available|historical state|\bprun(?:ed|ing)\b|\barchiv(?:e|al)\b|block requested not found/i

/**
 * Whether an origin's error, in an answer of any status, says that it has had enough of this caller: `forNow`, so that the next
 * second is worth a try (geth's -32005, QuickNode's -32007 and -32012, Alchemy's 429), or `forLong`, when the calls of a day or a
 * month are used up.
 */
export function saysLimited({
  code,
  words,
}: {
  code: number | undefined
  words: string
}): 'forNow' | 'forLong' | undefined {
  // The same code for a question whose answer would be too long.
  const isLimited =
    limited.test(words) || code === 429 || (code === -32005 && !/returned more than|block range/i.test(words))
  if (!isLimited) return undefined
  return /\b(?:daily|monthly|day|month|quota|billing)\b/i.test(words) ? 'forLong' : 'forNow'
}

const limited = new RegExp(
  [
    'rate.?limit',
    'rate exceeded',
    'too many requests',
    'requests?(?: count)? (?:limit|exceeded)',
    'capacity(?: limit)? exceeded',
    'credits limited',
    'exceeded (?:its|the|your) [^.]{0,40}(?:capacity|limit|quota|RPS)',
  ].join('|'),
  'i',
)
