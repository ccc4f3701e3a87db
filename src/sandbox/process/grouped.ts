/**
 * Collects items that arrive while a batch is running into the next batch. `run` must return one answer per item, in order; its error
 * rejects every item of the batch.
 */
export function grouped<item, answer>(
  run: (items: readonly item[]) => Promise<readonly answer[]>,
  { most }: { most: number },
): (item: item) => Promise<answer> {
  type Waiting = { item: item; resolve: (value: answer) => void; reject: (error: unknown) => void }
  let waiting: Waiting[] = []
  let isRunning = false

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!isRunning) void work()
    })

  async function work(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      // Waits, so that all items of the same event loop turn are in one batch.
      await new Promise((resolve) => setImmediate(resolve))
      const some = waiting.slice(0, most)
      waiting = waiting.slice(most)
      try {
        const answers = await run(some.map(({ item }) => item))
        for (const [index, { resolve }] of some.entries()) resolve(answers[index] as answer) // `run` returns one answer per item
      } catch (error) {
        for (const { reject } of some) reject(error)
      }
    }
    isRunning = false
  }
}
