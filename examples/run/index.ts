import { existsSync } from 'node:fs'
import { parseArgs, styleText } from 'node:util'
import { printError } from '../../src/sandbox/cli/printError.ts'
import { untilStopped } from '../../src/sandbox/cli/untilStopped.ts'
import type { Start, StartedExample } from './besideSandbox.ts'
import { type ExampleName, isExample, listText } from './list.ts'

// npm run example -- NAME [--port PORT]: starts an example with its payments service.
// Exit codes: 0 when the example is done or was ended by Ctrl+C, 1 when its work failed, 2 when it could not start.

const asked = readCommandLine()
if (asked.problem !== undefined) {
  console.error(`${asked.problem}\n\n${listText()}`)
  process.exitCode = 2
} else if (asked.name === undefined) console.log(listText())
else
  await run(asked.name, asked.port).catch((error: unknown) => {
    printError(error)
    process.exitCode = 2
  })

async function run(name: ExampleName, port: number | undefined): Promise<void> {
  // Shown in the machine's list of processes.
  process.title = `example ${name}`
  console.log(styleText('bold', `\nStarting ${name}\n`))
  const start = await findStart(name)
  await untilStopped<StartedExample & { stop: () => Promise<void> }>({
    start: async (step) => {
      const started = await start({
        port,
        say: (text) => {
          step()
          console.log(styleText('dim', `  ${text}`))
        },
      })
      return { ...started, stop: started.close }
    },
    onStarted: show,
    stopped: 'Stopped.',
  })
}

async function findStart(name: ExampleName): Promise<Start> {
  if (existsSync(new URL(`../${name}/start.ts`, import.meta.url)))
    return (await import(`../${name}/start.ts`)).start
  const { startFunctions } = await import('./startFunctions.ts')
  const start = startFunctions[name]
  if (start === undefined) throw new Error(`The example ${name} cannot be started by name.`)
  return start
}

/** Prints the result of an example, or the URL of what it started. */
async function show({ url, howTo, succeeded, close }: StartedExample): Promise<void> {
  if (url !== undefined) console.log(`\n  ${styleText('bold', url)}`)
  console.log(`\n${howTo.trim()}\n`)
  if (succeeded === undefined) return console.log('Press Ctrl+C to stop.\n')
  await close()
  process.exitCode = succeeded ? 0 : 1
}

function readCommandLine(): { name?: ExampleName; port?: number; problem?: string } {
  let parsed: { values: { port?: string | undefined }; positionals: string[] }
  try {
    parsed = parseArgs({ options: { port: { type: 'string' } }, allowPositionals: true })
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
  const { positionals, values } = parsed
  const [name, ...more] = positionals
  if (name === undefined) return {}
  if (more.length > 0 || !isExample(name))
    return { problem: `There is no example "${positionals.join(' ')}" to start.` }
  if (values.port === undefined) return { name }
  const port = /^\d{1,5}$/.test(values.port) ? Number(values.port) : Number.NaN
  if (!(port <= 65_535)) return { problem: `--port is "${values.port}". Pass a number from 0 to 65535.` }
  return { name, port }
}
