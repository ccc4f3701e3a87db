import { writeSync } from 'node:fs'
import { Listr } from 'listr2'

/** Shows the current step on an interactive terminal. A signal first restores the cursor, then ends the process as usual. */
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
    const message = interrupted?.()
    const text = `${isShown ? showCursor : ''}${message === undefined ? '' : `\n${message}\n`}`
    // Writes directly to the file descriptor, because the streams are buffered while the progress is shown.
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

/** Control sequence that shows the cursor (DECTCEM). */
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
  if (result === undefined) throw new Error(`${title} ended without a result.`)
  return result.value
}
