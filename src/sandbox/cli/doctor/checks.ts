import { existsSync } from 'node:fs'
import { mkdtemp, rmdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { BaseError, createPublicClient, HttpRequestError, http } from 'viem'
import { openAnvil } from '../../chains/anvil/openAnvil.ts'
import { openSandboxStore } from '../../sandboxStore.ts'
import { listen } from '../../servers/listen.ts'
import { withPackage } from '../../withPackage.ts'

/** What a check found. `fail`: the sandbox does not start like this. `warn`: a part of it does not, or somebody else does. */
export type Finding = { state: 'ok' | 'warn' | 'fail'; found: string; fix?: string | undefined }

export function checkNode(version = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return { state: 'ok', found: version }
  return { state: 'fail', found: version, fix: 'Install Node 20.19 or newer.' }
}

/** Whether the service could listen. */
export async function checkPort(port: number): Promise<Finding> {
  try {
    await (await listen({ fetch: () => new Response(), port })).close()
    return { state: 'ok', found: `${port} is free` }
  } catch {
    return {
      state: 'warn',
      found: `${port} cannot be opened on 127.0.0.1`,
      fix: 'A sandbox that runs already? Else start with --port 0, or with another number.',
    }
  }
}

/** Whether the local chain's program is there, and starts. */
export async function checkAnvil(): Promise<Finding> {
  const started = performance.now()
  try {
    await (await openAnvil({ chainId: 31_337 })).stop()
    return { state: 'ok', found: `starts and ends in ${Math.round(performance.now() - started)} ms` }
  } catch (error) {
    return failure(error)
  }
}

/** Whether a chain can be forked from there. Its address may carry a key and is not shown. */
export async function checkForkUrl(url: string | undefined): Promise<Finding> {
  if (url === undefined) return { state: 'ok', found: 'none: chains are made empty' }
  try {
    const client = createPublicClient({ transport: http(url, { timeout: 5_000, retryCount: 0 }) })
    return { state: 'ok', found: `answers as chain ${await client.getChainId()}` }
  } catch (error) {
    const status = statusOf(error)
    return {
      state: 'fail',
      found: status === undefined ? 'does not answer eth_chainId' : `answers eth_chainId with ${status}`,
      fix:
        status === 401 || status === 403
          ? 'Its key is not taken: get a new one, or leave the address out: the sandbox works without a fork.'
          : 'Check the address and its key, or leave it out: the sandbox works without a fork.',
    }
  }
}

/** Of an answer that was no JSON-RPC. */
function statusOf(error: unknown): number | undefined {
  const found = error instanceof BaseError ? error.walk((one) => one instanceof HttpRequestError) : undefined
  return found instanceof HttpRequestError ? found.status : undefined
}

/** Whether the rows have a place: a PostgreSQL server when one is named, else the database that comes with the package. */
export async function checkDatabase(url: string | undefined): Promise<Finding> {
  if (url === undefined) {
    try {
      await (await openSandboxStore()).close()
      return { state: 'ok', found: 'the one that comes with the package opens' }
    } catch (error) {
      return failure(error)
    }
  }
  const { hostname, port } = URL.canParse(url) ? new URL(url) : { hostname: '', port: '' }
  if (await isPostgres(hostname, Number(port || 5432)))
    return { state: 'ok', found: 'DATABASE_URL names a PostgreSQL server that answers' }
  return {
    state: 'fail',
    found: 'DATABASE_URL names no PostgreSQL server that answers',
    fix: 'Start the server or mend the address; or unset DATABASE_URL to use the database that comes with the package.',
  }
}

/** Asks whether the server speaks TLS, the first thing that a client of PostgreSQL may say: it answers S or N. */
function isPostgres(host: string, port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, host.replace(/^\[|\]$/g, ''), () =>
      socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])),
    )
    const end = (answer: boolean) => {
      socket.destroy()
      done(answer)
    }
    socket.setTimeout(3_000, () => end(false))
    socket.once('error', () => end(false))
    socket.once('close', () => end(false))
    socket.once('data', (data) => end(data[0] === 0x53 || data[0] === 0x4e))
  })
}

/** Whether a folder could be kept in: something is written there, and taken away again. */
export async function checkDataDir(dataDir: string | undefined): Promise<Finding> {
  if (dataDir === undefined) return { state: 'ok', found: 'none: everything is in memory' }
  let folder = resolve(dataDir)
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
  try {
    await rmdir(await mkdtemp(join(folder, '.redeemkit-doctor-')))
    return { state: 'ok', found: `${resolve(dataDir)} can be written in` }
  } catch {
    return {
      state: 'fail',
      found: `${folder} is no folder in which this process may write`,
      fix: 'Give another folder, or the right to write in this one.',
    }
  }
}

export async function checkStellar(): Promise<Finding> {
  try {
    await withPackage('@stellar/stellar-sdk', () => import('@stellar/stellar-sdk'))
    return { state: 'ok', found: 'installed' }
  } catch {
    return {
      state: 'warn',
      found: 'not installed',
      fix: 'Only Stellar and the demo need it: npm install @stellar/stellar-sdk',
    }
  }
}

export function checkDocker(): Finding {
  return { state: 'ok', found: 'not needed' }
}

function failure(error: unknown): Finding {
  const { name, shortMessage, fix } = Object(error) as { name?: string; shortMessage?: string; fix?: string } // read as text
  return { state: 'fail', found: shortMessage ?? `failed (${name ?? 'unknown error'})`, fix }
}
