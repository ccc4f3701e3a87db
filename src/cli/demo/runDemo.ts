import { styleText } from 'node:util'
import { Listr } from 'listr2'
import type { Act } from './act.ts'
import { redeems } from './acts/redeems.ts'
import { refusals } from './acts/refusals.ts'
import { signIn } from './acts/signIn.ts'
import { smartAccount } from './acts/smartAccount.ts'
import { solana } from './acts/solana.ts'
import { stellar } from './acts/stellar.ts'
import { tempo } from './acts/tempo.ts'
import { print } from './report.ts'
import { type Stage, setStage } from './stage.ts'

const acts: readonly Act[] = [redeems, smartAccount, refusals, signIn, solana, stellar, tempo]

/**
 * Plays the whole demo: starts everything, plays the acts, prints what happened.
 *
 * @returns whether all was as told
 */
export async function runDemo(): Promise<boolean> {
  const started = Date.now()
  const reports: (() => void)[] = []
  let stage: Stage | undefined
  const tasks = new Listr(
    [
      {
        title: 'Start the payments service and its chains on this machine',
        task: async (_, task) => {
          stage = await setStage((text) => {
            task.output = text
          })
        },
      },
      ...acts.map((act) => ({
        title: act.title,
        task: async (_: unknown, task: { output: string }) => {
          if (stage === undefined) throw new Error('The stage was not set.')
          reports.push(
            await act.play(stage, (text) => {
              task.output = text
            }),
          )
        },
      })),
    ],
    { fallbackRenderer: 'simple', rendererOptions: { collapseErrors: false } },
  )
  try {
    await tasks.run()
    for (const report of reports) report()
    const seconds = ((Date.now() - started) / 1000).toFixed(1)
    print(`\n${styleText('green', '✔ All as told')} in ${seconds} s.`)
    return true
  } catch (error) {
    console.error(describe(error))
    print(`\n${styleText('red', '✘ Not all as told.')} The error above says where.`)
    return false
  } finally {
    await stage?.stop()
  }
}

/** What failed, without the bytes of the transaction that failed. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const text = 'shortMessage' in error ? String(error.shortMessage) : error.message
  const place = error.stack?.split('\n').find((line) => line.trimStart().startsWith('at '))
  return [`${error.name}: ${text}`, place].join('\n')
}
