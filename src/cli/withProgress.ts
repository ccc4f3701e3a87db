import { Listr } from 'listr2'

/**
 * Does something that takes long, and shows meanwhile what is being done: on a terminal alone, and gone afterwards.
 *
 * @param options.json the output is for a program: nothing is shown
 */
export async function withProgress<result>(
  title: string,
  options: {
    json: boolean | undefined
    work: (say: (step: string) => void) => Promise<result>
  },
): Promise<result> {
  const { json = false, work } = options
  if (json || !process.stdout.isTTY || !process.stderr.isTTY) return work(() => {})
  let result: { value: result } | undefined
  const tasks = new Listr(
    {
      title,
      task: async (_, task) => {
        const value = await work((step) => {
          task.output = step
        })
        result = { value }
      },
    },
    // Whoever calls this says what a signal does.
    { registerSignalListeners: false, rendererOptions: { clearOutput: true, showErrorMessage: false } },
  )
  await tasks.run()
  if (result === undefined) throw new Error(`${title}: it ended without a result.`)
  return result.value
}
