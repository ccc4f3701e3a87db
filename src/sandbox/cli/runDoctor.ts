import { existsSync } from 'node:fs'
import { mkdtemp, rmdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { askOrigin, checkForkOptions } from '../chains/anvil/forkOrigin.ts'
import { openAnvil } from '../chains/anvil/openAnvil.ts'
import manifest from '../package.json' with { type: 'json' }
import { openSandboxStore } from '../sandboxStore.ts'
import { listen } from '../servers/listen.ts'
import { withPackage } from '../withPackage.ts'

export type DoctorOptions = {
  port: number
  forkUrl: string | undefined
  databaseUrl: string | undefined
  dataDir: string | undefined
}

export async function runDoctor(
  options: DoctorOptions,
  report: (line: DoctorLine) => void,
): Promise<readonly DoctorLine[]> {
  const checks: readonly [string, () => Finding | Promise<Finding>][] = [
    ['Node', () => checkNode()],
    ['port', () => checkPort(options.port)],
    ['Anvil', checkAnvil],
    ['fork URL', () => checkForkUrl(options.forkUrl)],
    ['data folder', () => checkDataDir(options.dataDir)],
    ['database', () => checkDatabase(options.databaseUrl)],
    ['Stellar SDK', checkStellar],
  ]
  const lines: DoctorLine[] = []
  for (const [check, run] of checks) {
    const line = { check, ...(await run()) }
    lines.push(line)
    report(line)
  }
  return lines
}

export type DoctorLine = { check: string } & Finding

/** Result of a check. `fail`: the sandbox cannot start. `warn`: an optional part is unavailable. */
export type Finding = { state: 'ok' | 'warn' | 'fail'; found: string; fix?: string | undefined }

export function checkNode(version = process.versions.node): Finding {
  const required = manifest.engines.node.replace('>=', '')
  if (version.localeCompare(required, 'en', { numeric: true }) >= 0) return { state: 'ok', found: version }
  return { state: 'fail', found: version, fix: `Install Node ${required} or newer.` }
}

export async function checkPort(port: number): Promise<Finding> {
  try {
    await (await listen({ fetch: () => new Response(), port })).close()
    return { state: 'ok', found: `${port} is free` }
  } catch {
    return {
      state: 'warn',
      found: `${port} is not available on 127.0.0.1`,
      fix: 'If no sandbox is running there, start with --port 0 or another port.',
    }
  }
}

async function checkAnvil(): Promise<Finding> {
  const started = performance.now()
  try {
    await (await openAnvil({ chainId: 31_337 })).stop()
    return { state: 'ok', found: `starts and stops in ${Math.round(performance.now() - started)} ms` }
  } catch (error) {
    return failure(error)
  }
}

/** Never prints the endpoint's key. */
export async function checkForkUrl(url: string | undefined): Promise<Finding> {
  if (url === undefined) return { state: 'ok', found: 'none: chains start empty' }
  try {
    const { forkUrl } = checkForkOptions({ forkUrl: url, forkBlockNumber: undefined })
    const asked = { method: 'eth_chainId', params: [], timeoutMs: 5_000 }
    const { result } = Object(await askOrigin(forkUrl, asked))
    return { state: 'ok', found: `serves chain ${Number(result)}` }
  } catch (error) {
    const { fix = '', ...finding } = failure(error)
    return { ...finding, fix: `${fix} Or omit it: the sandbox works without a fork.`.trim() }
  }
}

async function checkDatabase(url: string | undefined): Promise<Finding> {
  if (url === undefined) {
    try {
      await (await openSandboxStore()).close()
      return { state: 'ok', found: 'the embedded database opens' }
    } catch (error) {
      return failure(error)
    }
  }
  try {
    const { default: pg } = await import('pg')
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 })
    // Without a listener, a later connection loss would end the process.
    client.on('error', () => {})
    await client.connect()
    await client.end()
    return { state: 'ok', found: 'the PostgreSQL database at DATABASE_URL accepts connections' }
  } catch {
    return {
      state: 'fail',
      found: 'no PostgreSQL database accepts connections at DATABASE_URL',
      fix: 'Start the server or correct the address, user and password, or unset DATABASE_URL to use the embedded database.',
    }
  }
}

async function checkDataDir(dataDir: string | undefined): Promise<Finding> {
  if (dataDir === undefined) return { state: 'ok', found: 'none: data stays in memory' }
  let folder = resolve(dataDir)
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
  try {
    await rmdir(await mkdtemp(join(folder, '.redeemkit-doctor-')))
    return { state: 'ok', found: `${resolve(dataDir)} is writable` }
  } catch {
    return {
      state: 'fail',
      found: `${folder} is not writable`,
      fix: 'Pass another folder, or make this one writable.',
    }
  }
}

async function checkStellar(): Promise<Finding> {
  try {
    await withPackage('@stellar/stellar-sdk', () => import('@stellar/stellar-sdk'))
    return { state: 'ok', found: 'installed' }
  } catch {
    return {
      state: 'warn',
      found: 'not installed',
      fix: 'Needed only for Stellar and the demo: npm install @stellar/stellar-sdk',
    }
  }
}

function failure(error: unknown): Finding {
  const { name, shortMessage, fix } = Object(error) as { name?: string; shortMessage?: string; fix?: string }
  return { state: 'fail', found: shortMessage ?? `failed (${name ?? 'unknown error'})`, fix }
}
