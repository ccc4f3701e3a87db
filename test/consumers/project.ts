import { spawnSync } from 'node:child_process'
import { lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './packages.ts'

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
