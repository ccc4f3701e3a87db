/**
 * Lets what arrives while work is under way wait, and go together as the next piece of work. What arrives alone is done at
 * once and alone.
 *
 * @param run answers each item, in their order; what it throws is thrown to each of them
 * @param most items in one piece
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
      // Those that come in one turn of the event loop belong together.
      await new Promise((resolve) => setImmediate(resolve))
      const some = waiting.slice(0, most)
      waiting = waiting.slice(most)
      try {
        const answers = await run(some.map(({ item }) => item))
        for (const [index, { resolve }] of some.entries()) resolve(answers[index] as answer) // one for each, says `run`
      } catch (error) {
        for (const { reject } of some) reject(error)
      }
    }
    isRunning = false
  }
}
