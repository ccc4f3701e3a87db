import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import getPort from 'get-port'
import pg from 'pg'
import { startWatchdog } from '../../src/sandbox/chains/anvil/startWatchdog.ts'
import type { PostgresPrograms } from './findPostgres.ts'

export type PostgresServer = {
  url: string
  start: () => Promise<void>
  /** Stops the server immediately and drops every connection, like a crash. */
  kill: () => Promise<void>
  stop: () => Promise<void>
}

export async function startPostgres({ programs, user }: PostgresPrograms): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'redeemkit-postgres-'))
  const data = join(folder, 'data')
  const port = await getPort()
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const options = ['-D', data, '-A', 'trust', '-U', 'redeemkit', '-E', 'UTF8', '--locale=C', '--no-sync']
  execFileSync(join(programs, 'initdb'), options, { ...user, cwd: folder, stdio: 'ignore' })
  writeFileSync(join(data, 'pg_hba.conf'), access)
  const url = `postgresql://redeemkit@127.0.0.1:${port}/postgres`
  let server: ChildProcess | undefined

  async function start(): Promise<void> {
    const settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '200',
      fsync: 'off',
    }
    const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    server = spawn(join(programs, 'postgres'), ['-D', data, '-p', `${port}`, ...given], {
      ...user,
      cwd: folder,
      stdio: 'ignore',
    })
    startWatchdog({ folder }).watch(server)
    for (let tries = 0; !(await answers(url)); tries++) {
      if (tries > 200 || server.exitCode !== null) throw new Error('The PostgreSQL server did not start.')
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  async function end(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    if (server === undefined || server.exitCode !== null) return
    const gone = new Promise((resolve) => server?.once('exit', resolve))
    server.kill(signal)
    await gone
  }

  await start()
  return {
    url,
    start,
    kill: () => end('SIGQUIT'),
    stop: async () => {
      await end('SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Only one of the two users needs a password. */
const access = `
host all asked 127.0.0.1/32 scram-sha-256
host all all   127.0.0.1/32 trust
`

export async function createDatabase(serverUrl: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const client = new pg.Client(serverUrl)
  await client.connect()
  try {
    await client.query(`create database ${name}`)
  } finally {
    await client.end()
  }
  return serverUrl.replace(/\/postgres$/, `/${name}`)
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end()
  }
}
