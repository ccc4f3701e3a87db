import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export type ExampleRun = {
  code: number | null
  output: string
  /** The status that its page or server returned for a request. */
  answered: number | undefined
  /** Processes that are still running. */
  left: string[]
}

/** Runs the command of `npm run example` in its own process group. `interrupt` sends Ctrl+C to the group when the example asks for it. */
export async function runExample(
  args: readonly string[],
  { interrupt = false }: { interrupt?: boolean } = {},
): Promise<ExampleRun> {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', fileURLToPath(new URL('index.ts', import.meta.url)), ...args],
    {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const group = child.pid
  if (group === undefined) throw new Error('The process was not started.')
  let output = ''
  let answered: Promise<number> | undefined
  const read = (chunk: Buffer) => {
    output += chunk
    if (!interrupt || answered !== undefined || !output.includes('Press Ctrl+C to stop.')) return
    const url = /^ {2}(http:\S+)$/m.exec(output)?.[1] ?? ''
    answered = fetch(url).then(({ status }) => status)
    answered.catch(() => {}).finally(() => process.kill(-group, 'SIGINT'))
  }
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  const [code]: [number | null] = await once(child, 'close').then(([one]) => [one])
  return { code, output, answered: await answered, left: processesOf(group) }
}

/** Lists the running processes of a group, without zombies (Z). */
function processesOf(group: number): string[] {
  return execFileSync('ps', ['-eo', 'stat=,pgid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([state, pgid]) => pgid === `${group}` && !state?.startsWith('Z'))
    .map(([, , ...args]) => args.join(' '))
}
