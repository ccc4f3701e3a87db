/** Creates a keyed mutex. Work with the same key runs one at a time, in order of arrival. */
export function keyedLock(): <result>(key: string, work: () => Promise<result>) => Promise<result> {
  const tails = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const before = tails.get(key) ?? Promise.resolve()
    const mine = before.then(work, work)
    const tail = mine.then(
      () => {},
      () => {},
    )
    tails.set(key, tail)
    tail.then(() => {
      if (tails.get(key) === tail) tails.delete(key)
    })
    return mine
  }
}
