import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleProcess } from '../service/bundleProcess.ts'

/** A service in its own process, which can be killed and restarted on the same folder. */
export type ServiceProcess = {
  /** Its URL, different after each start. */
  url: string
  /** @param crashAt step at which the relayer kills its own process: `journalled` or `broadcast` */
  restart: (options?: { crashAt?: string }) => Promise<void>
  isAlive: () => boolean
  /** Resolves when the process has exited. */
  gone: () => Promise<void>
  stop: () => Promise<void>
}

/** @param settings options of `createSandbox` as JSON, without `dataDir` */
export async function startServiceProcess(settings: object): Promise<ServiceProcess> {
  const file = fileURLToPath(
    new URL(`../../node_modules/.cache/redeemkit/browserService-${process.pid}.mjs`, import.meta.url),
  )
  const [dataDir] = await Promise.all([
    mkdtemp(join(tmpdir(), 'redeemkit-browser-')),
    bundleProcess(new URL('../service/crashChild.ts', import.meta.url), file),
  ])
  /** Loads the modules of the next process in advance, and waits. */
  const load = () => spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'] })
  let spare = load()
  let child: ChildProcess | undefined
  const isAlive = () => child !== undefined && child.exitCode === null && child.signalCode === null
  async function gone(): Promise<void> {
    if (child !== undefined && isAlive()) await once(child, 'exit')
  }
  async function kill(): Promise<void> {
    child?.kill('SIGKILL')
    await gone()
  }
  async function restart(options: { crashAt?: string } = {}): Promise<void> {
    await kill()
    const started = spare
    child = started
    spare = load()
    started.stdin.write(`${JSON.stringify({ ...settings, ...options, dataDir })}\n`)
    const [chunk] = await Promise.race([
      once(started.stdout, 'data'),
      once(started, 'exit').then(() => Promise.reject(new Error('The service ended before it listened.'))),
    ])
    service.url = JSON.parse(String(chunk)).url
  }
  const service: ServiceProcess = {
    url: '',
    restart,
    isAlive,
    gone,
    stop: async () => {
      await kill()
      spare.kill('SIGKILL')
      await Promise.all([rm(file, { force: true }), rm(dataDir, { recursive: true, force: true })])
    },
  }
  await restart()
  return service
}
