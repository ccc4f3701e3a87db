import { styleText } from 'node:util'
import { Listr } from 'listr2'
import { printError } from '../printError.ts'
import { type DemoPart, print } from './demoPart.ts'
import { type DemoSandbox, startDemoSandbox } from './demoSandbox.ts'
import { redeems, smartAccount } from './redeems.ts'
import { refusals } from './refusals.ts'
import { signIn } from './signIn.ts'
import { solana } from './solana.ts'
import { stellar } from './stellar.ts'
import { tempo } from './tempo.ts'

/** These parts run one after another, because they use the same EVM chain. */
const onEvm: readonly DemoPart[] = [redeems, smartAccount, refusals]
/** These parts run concurrently. */
const onOtherChains: readonly DemoPart[] = [signIn, solana, stellar, tempo]
const parts = [...onEvm, ...onOtherChains]

export async function runDemo(): Promise<boolean> {
  const started = Date.now()
  const reports = new Map<DemoPart, () => void>()
  let demo: DemoSandbox | undefined
  const toTask = (part: DemoPart) => ({
    title: part.title,
    task: async (_: unknown, task: { output: string }) => {
      if (demo === undefined) throw new Error('The sandbox was not started.')
      reports.set(
        part,
        await part.run(demo, (text) => {
          task.output = text
        }),
      )
    },
  })
  const tasks = new Listr(
    [
      {
        title: 'Start the payments service and its chains on this machine',
        task: async (_, task) => {
          demo = await startDemoSandbox((text) => {
            task.output = text
          })
        },
      },
      {
        title: 'Redeem, pay and sign in on every chain',
        task: (_, task) =>
          task.newListr(
            [
              { title: 'EVM', task: (_, evm) => evm.newListr(onEvm.map(toTask), { concurrent: false }) },
              ...onOtherChains.map(toTask),
            ],
            { concurrent: true },
          ),
      },
    ],
    { fallbackRenderer: 'simple', rendererOptions: { collapseErrors: false } },
  )
  try {
    await tasks.run()
    for (const part of parts) reports.get(part)?.()
    const seconds = ((Date.now() - started) / 1000).toFixed(1)
    print(`\n${styleText('green', '✔ All checks passed')} in ${seconds} s.`)
    return true
  } catch (error) {
    printError(error)
    print(`\n${styleText('red', '✘ A check failed.')} See the error above.`)
    return false
  } finally {
    await demo?.stop()
  }
}
