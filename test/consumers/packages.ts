import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { entryPoints as sources } from '../../.config/entryPoints.ts'
import { processStart } from '../../src/sandbox/processStart.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

const manifest = JSON.parse(readFileSync(join(root, 'src/redeemkit/package.json'), 'utf8'))
const workspace = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

export const entryPoints: readonly string[] = Object.keys(sources)

export const needsPackage: Readonly<Record<string, readonly string[]>> = {
  'redeemkit/solana': ['@solana/web3.js'],
  'redeemkit/stellar': ['@stellar/stellar-sdk'],
  'redeemkit/wagmi': ['@wagmi/core'],
  'redeemkit/react': ['wagmi', '@wagmi/core', '@tanstack/react-query', 'react', '@types/react'],
  '@redeemkit/sandbox/testing/vitest': ['vitest'],
}

/** The version in the lockfile, so that a test gives the same result later: `viem@2.57.1`. */
export function pinned(name: string): string {
  return `${name}@${workspace.devDependencies[name]}`
}

export function exportNames(entryPoint: string): string {
  const text = readFileSync(join(root, 'test/consumers/exports.txt'), 'utf8')
  const list = text.split(/^# /m).find((section) => section.startsWith(`${entryPoint}\n`))
  if (list === undefined) throw new Error(`exports.txt has no ${entryPoint}.`)
  return `${list.slice(entryPoint.length).trim()}\n`
}

export type Tarballs = { redeemkit: string; sandbox: string }

/** Uses the release command. Runs once for all test files of a run, which may run in parallel. */
export function packBoth(): Tarballs {
  const { version } = manifest
  const tarballs = {
    redeemkit: join(root, `dist/redeemkit-${version}.tgz`),
    sandbox: join(root, `dist/redeemkit-sandbox-${version}.tgz`),
  }
  mkdirSync(cache, { recursive: true })
  const unlock = takeLock(join(cache, 'packing'))
  try {
    const packedBy = join(cache, 'packedBy')
    // The main process of the run is the parent of all workers.
    const run = `${process.ppid} ${processStart(process.ppid)}`
    const isPacked = Object.values(tarballs).every(existsSync) && existsSync(packedBy)
    if (isPacked && readFileSync(packedBy, 'utf8') === run) return tarballs
    rmSync(packedBy, { force: true })
    execFileSync('npm', ['run', 'pack'], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] })
    writeFileSync(packedBy, run)
    return tarballs
  } finally {
    unlock()
  }
}

const cache = join(root, 'node_modules/.cache/redeemkit')

/** Waits until no other process has the folder. A folder older than ten minutes belongs to a killed process. */
function takeLock(folder: string): () => void {
  for (;;)
    try {
      mkdirSync(folder)
      return () => rmSync(folder, { recursive: true, force: true })
    } catch {
      const made = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0
      if (Date.now() - made > 600_000) rmSync(folder, { recursive: true, force: true })
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
    }
}

export function tarballProblems(name: keyof Tarballs, tarball: string): string[] {
  const run = (command: string, ...words: string[]) => {
    const done = spawnSync('npx', ['--no', '--', command, ...words], { cwd: root, encoding: 'utf8' })
    return { status: done.status, output: `${done.stdout}${done.stderr}` }
  }
  const publint = run('publint', '--strict', tarball)
  const listed = entryPoints.filter((path) => path.startsWith('@') === (name === 'sandbox'))
  const paths = listed.map((path) => path.replace(/^(@redeemkit\/sandbox|redeemkit)/, '.'))
  const format = ['--profile', 'esm-only', '--no-emoji', '--format', 'ascii']
  const types = run('attw', tarball, ...format, '--entrypoints', ...paths)
  const resolved = types.output.match(/node16 \(from ESM\): OK/g)?.length ?? 0
  return [
    ...(publint.output.includes('All good!') ? [] : [publint.output]),
    ...(types.status === 0 && resolved === listed.length ? [] : [types.output]),
  ]
}

export type PackageManager = 'npm' | 'pnpm'

export type Project = {
  folder: string
  /** Returns the warnings, one per line. */
  install: (...packages: string[]) => string[]
  /** Runs an ES module in plain Node. Throws with its output unless it exits with 0. */
  run: (code: string) => string
  /** Runs an installed command as this package manager does. */
  command: (...args: string[]) => { status: number | null; output: string }
  sizeOnDisk: () => number
  remove: () => void
}

export function createProject(packageManager: PackageManager): Project {
  const folder = mkdtempSync(join(tmpdir(), `redeemkit-${packageManager}-`))
  writeFileSync(join(folder, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }')
  const spawn = (command: string, args: readonly string[]) => {
    const done = spawnSync(command, args, {
      cwd: folder,
      encoding: 'utf8',
      env: consumerEnvironment(),
      timeout: 300_000,
    })
    if (done.error !== undefined) throw done.error
    return { status: done.status, output: `${done.stdout}${done.stderr}`, stdout: done.stdout }
  }
  const succeed = (command: string, args: readonly string[]) => {
    const done = spawn(command, args)
    if (done.status !== 0) throw new Error(`${command} ${args[0]} ended with ${done.status}:\n${done.output}`)
    return done
  }
  return {
    folder,
    install: (...packages) => {
      const { output } =
        packageManager === 'npm'
          ? succeed('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...packages])
          : succeed(pnpm, ['add', '--prefer-offline', ...packages])
      return output.split('\n').filter((line) => /warn/i.test(line))
    },
    run: (code) => succeed('node', ['--input-type=module', '-e', code]).stdout,
    command: (...args) =>
      packageManager === 'npm' ? spawn('npx', ['--no', '--', ...args]) : spawn(pnpm, ['exec', ...args]),
    sizeOnDisk: () => sizeOf(join(folder, 'node_modules')),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const pnpm = join(root, 'node_modules/.bin/pnpm')

/** The variables of `npm run` and Vitest would set a consumer's options. */
function consumerEnvironment(): NodeJS.ProcessEnv {
  const names = Object.keys(process.env).filter(
    (name) => !/^(npm_(?!config_(registry|cache|cafile))|NODE_ENV$|VITE)/i.test(name),
  )
  return Object.fromEntries(names.map((name) => [name, process.env[name]]))
}

/** Counts as `du` does: in blocks, without following links. */
function sizeOf(path: string): number {
  const { blocks } = lstatSync(path)
  const inside = lstatSync(path).isDirectory() ? readdirSync(path) : []
  return inside.reduce((sum, name) => sum + sizeOf(join(path, name)), blocks * 512)
}
