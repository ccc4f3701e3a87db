import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { SerializedConfig } from 'vitest'
import { defineConfig } from 'vitest/config'
import {
  BaseSequencer,
  type PoolOptions,
  type PoolWorker,
  type Reporter,
  type TestSpecification,
  ThreadsPoolWorker,
} from 'vitest/node'
import base from './vitest.ts'

type Message = Parameters<PoolWorker['send']>[0]
type Listener = (answer: unknown) => void

/** Duration of each test file in Stryker's first run, in ms. All processes of the run read it. */
const durationsFile = `${base.root}durations.json`
const readDurations = (): Record<string, number> =>
  existsSync(durationsFile) ? JSON.parse(readFileSync(durationsFile, 'utf8')) : {}

/** Idle threads, by environment (Node or a DOM). */
const idle = new Map<string, { thread: ThreadsPoolWorker; files: number }>()

/** Runs test files one after another in one thread, because loading viem, zod and the chains' SDKs takes longer than the tests. */
function createPoolWorker(options: PoolOptions): PoolWorker {
  const { name } = options.environment
  const kept = idle.get(name)
  idle.delete(name)
  const { thread, files } = kept ?? { thread: new ThreadsPoolWorker(options), files: 0 }
  const listeners: [event: string, listener: Listener][] = []
  const begun = Date.now()
  let config: SerializedConfig
  let file = ''
  let mode: unknown
  let timeout = Number.POSITIVE_INFINITY
  const answer = (type: 'started' | 'stopped') =>
    setImmediate(() => {
      for (const [event, listener] of listeners)
        if (event === 'message') listener({ type, __vitest_worker_response__: true })
    })
  return {
    name: 'kept',
    on: (event, listener) => {
      listeners.push([event, listener])
      thread.on(event, listener)
    },
    off: (event, listener) => {
      listeners.splice(0, listeners.length, ...listeners.filter(([, other]) => other !== listener))
      thread.off(event, listener)
    },
    send: (message: Message) => {
      if (message.type === 'stop') return answer('stopped')
      if (message.type === 'start') {
        config = message.context.config
        if (kept) return answer('started')
      }
      if (message.type !== 'run') return thread.send(message)
      ;[{ filepath: file = '' } = {}] = message.context.files
      mode = Reflect.get(message.context.providedContext, 'mode')
      const usual = readDurations()[file]
      // A mutant may make a test wait forever.
      if (mode === 'mutant' && usual !== undefined) {
        timeout = 2_000 + 3 * usual
        config = { ...config, testTimeout: timeout, hookTimeout: timeout }
      }
      thread.send({ ...message, context: { ...message.context, config } } as Message)
    },
    deserialize: (data) => data,
    start: async () => {
      if (!kept) await thread.start()
    },
    stop: async () => {
      for (const [event, listener] of listeners) thread.off(event, listener)
      const took = Date.now() - begun
      if (mode === 'dry-run')
        writeFileSync(durationsFile, JSON.stringify({ ...readDurations(), [file]: took }))
      // After a timeout, a test may still run and slow down the next ones.
      if (!idle.has(name) && files < 50 && took < timeout) idle.set(name, { thread, files: files + 1 })
      else await thread.stop()
    },
  }
}

/** How many mutants of a changed file each test file has detected: changed file → test file → count. */
const noticed = new Map<string, Map<string, number>>()
let changed = ''

const countNoticed: Reporter = {
  onTestModuleEnd: (file) => {
    if (file.state() !== 'failed') return
    const counts = noticed.get(changed) ?? new Map<string, number>()
    noticed.set(changed, counts.set(file.moduleId, (counts.get(file.moduleId) ?? 0) + 1))
  },
}

/** Starts with the test files that are most likely to detect the mutant soon, because the first failure ends the run. */
class LikeliestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    ;[changed = ''] = this.ctx.config.related ?? []
    const durations = readDurations()
    const costOf = ({ moduleId }: TestSpecification) => {
      const cost = 1_000 + (durations[moduleId] ?? 0)
      const count = noticed.get(changed)?.get(moduleId)
      if (count !== undefined) return -count / cost
      return moduleId.startsWith(changed.replace(/ts$/, ''))
        ? 0
        : relative(changed, moduleId).split('/').length * cost
    }
    return [...files].sort((a, b) => costOf(a) - costOf(b))
  }
}

// Includes only the unit tests, because Stryker runs them again for each mutant.
export default defineConfig({
  root: base.root,
  resolve: base.resolve,
  plugins: [
    {
      // A plugin sets the pool, because Stryker overrides `test.pool`.
      name: 'kept-thread',
      configureVitest({ vitest, project }) {
        // Stryker names the test files. Otherwise, Vitest would follow their imports again for each mutant.
        Object.assign(Reflect.get(vitest, 'specifications'), {
          filterTestsBySource: async (files: readonly TestSpecification[]) => files,
        })
        project.config.pool = 'kept'
        project.config.poolRunner = { name: 'kept', createPoolWorker }
        vitest.onClose(async () => {
          for (const { thread } of idle.values()) await thread.stop()
        })
      },
    },
  ],
  test: {
    include: [`${process.env.MUTANTS_FOLDER ?? 'src'}/**/*.test.{ts,tsx}`],
    exclude: ['**/*.long.test.ts', '**/node_modules/**'],
    provide: { generatedInputs: 20, isLong: false },
    globalSetup: base.test?.globalSetup,
    maxWorkers: 1,
    sequence: { sequencer: LikeliestFirst },
    reporters: [countNoticed],
    // On a busy machine, some tests of the first run take longer than the default of 5 seconds.
    hookTimeout: 120_000,
    testTimeout: 180_000,
  },
})
