import { writeSync } from 'node:fs'
import { Listr } from 'listr2'

/**
 * Does something that takes long, and shows meanwhile what is being done: on a terminal that can draw alone, and gone afterwards.
 *
 * A signal ends the process as it does without this, and the terminal has its cursor again.
 *
 * @param options.json the output is for a program: nothing is shown
 * @param options.handlesSignals the caller says what a signal does
 * @param options.interrupted what is said when a signal ends it
 */
export async function withProgress<result>(
  title: string,
  options: {
    json: boolean | undefined
    work: (say: (step: string) => void) => Promise<result>
    handlesSignals?: boolean | undefined
    interrupted?: (() => string | undefined) | undefined
  },
): Promise<result> {
  const { json = false, work, handlesSignals = false, interrupted } = options
  const isShown = !json && process.stdout.isTTY && process.stderr.isTTY && process.env.TERM !== 'dumb'
  const end = (signal: NodeJS.Signals) => {
    release()
    const words = interrupted?.()
    const text = `${isShown ? showCursor : ''}${words === undefined ? '' : `\n${words}\n`}`
    // Past the streams of the process: what is written to them is held back while the progress is shown.
    if (text !== '') writeSync(process.stderr.fd, text)
    process.kill(process.pid, signal)
  }
  const release = () => {
    for (const signal of signals) process.off(signal, end)
  }
  if (!handlesSignals) for (const signal of signals) process.once(signal, end)
  try {
    return await (isShown ? shown(title, work) : work(() => {}))
  } finally {
    release()
  }
}

const signals = ['SIGINT', 'SIGTERM'] as const

/** ECMA-48's private mode 25, as terminals have it. */
const showCursor = '\u001b[?25h'

async function shown<result>(
  title: string,
  work: (say: (step: string) => void) => Promise<result>,
): Promise<result> {
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
    { registerSignalListeners: false, rendererOptions: { clearOutput: true, showErrorMessage: false } },
  )
  await tasks.run()
  if (result === undefined) throw new Error(`${title}: it ended without a result.`)
  return result.value
}
