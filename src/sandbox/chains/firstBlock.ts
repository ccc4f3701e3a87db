/**
 * Returns the first block that matches, or the newest if none does. Assumes that every block after a match also matches. Starts at the
 * newest block, because most searches are for something recent.
 */
export async function firstBlock(
  newest: bigint,
  matches: (blockNumber: bigint) => Promise<boolean>,
): Promise<bigint> {
  let [low, high] = [0n, newest]
  for (let step = 1n; high > low; step *= 2n) {
    const at = newest > step ? newest - step : 0n
    if (!(await matches(at))) {
      low = at + 1n
      break
    }
    high = at
    if (at === 0n) break
  }
  while (low < high) {
    const middle = (low + high) / 2n
    if (await matches(middle)) high = middle
    else low = middle + 1n
  }
  return high
}
