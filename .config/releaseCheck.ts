import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tarballProblems } from '../test/consumers/packages.ts'

/* `npm run release:check`: builds and packs both packages, lists problems, and writes a CycloneDX SBOM next to each tarball. */

const root = fileURLToPath(new URL('..', import.meta.url))

/** Maximum packed and unpacked size in bytes. The sandbox's command bundles its dependencies. */
const budgets = { redeemkit: [950_000, 3_800_000], sandbox: [1_600_000, 5_300_000] } as const
type Name = keyof typeof budgets

const contents: Record<Name, RegExp> = {
  redeemkit:
    /^(?:package\.json|(?:README|AGENTS|CHANGELOG)\.md|LICENSE|docs\/[\w/-]+\.md|dist\/(?!.*\.(?:test|fixture)\.)[\w./-]+\.(?:js|d\.ts)|contracts\/[\w./-]+\.sol|contracts\/openzeppelin\/LICENSE)$/,
  sandbox:
    /^(?:package\.json|(?:README|AGENTS|CHANGELOG)\.md|LICENSE|dist\/(?!.*\.(?:test|fixture)\.)[\w./-]+\.(?:js|d\.ts)|dist\/cli\/THIRD_PARTY_LICENSES\.txt)$/,
}
const needed = ['README.md', 'LICENSE', 'AGENTS.md', 'CHANGELOG.md', 'package.json']

/** Licences that require nothing but a copy of their text. */
const free = /^(?:MIT|ISC|Apache-2\.0|0BSD|BSD-[23]-Clause|Unlicense|BlueOak-1\.0\.0|CC0-1\.0)$/

/** Whether at least one alternative of an SPDX expression consists only of free licences. */
export function isFree(expression: string): boolean {
  const choices = expression.replace(/[()]/g, '').split(/ or /i)
  return choices.some((choice) => choice.split(/ and /i).every((licence) => free.test(licence.trim())))
}

/** Returns the fields that a manifest lacks. npm rejects provenance without the right `repository`. */
export function manifestProblems(name: Name, manifest: Record<string, unknown>): string[] {
  const url = (value: unknown) =>
    value !== null && typeof value === 'object' && 'url' in value ? String(value.url) : String(value ?? '')
  const { repository, homepage, bugs } = manifest
  const wrong: string[] = []
  const file = `src/${name}/package.json`
  const directory = `src/${name}`
  if (
    !/^git\+https:\/\/\S+\.git$/.test(url(repository)) ||
    !JSON.stringify(repository).includes(`"directory":"${directory}"`)
  )
    wrong.push(
      `${file}: set "repository" to { "type": "git", "url": "git+https://HOST/OWNER/NAME.git", "directory": "${directory}" }.`,
    )
  if (!/^https:\/\/\S+$/.test(url(homepage)))
    wrong.push(`${file}: set "homepage" to the https address of the documentation site.`)
  if (!/^https:\/\/\S+$/.test(url(bugs)))
    wrong.push(`${file}: set "bugs" to { "url": … }, the https address of the issue tracker.`)
  return wrong
}

/** Returns the problems of an unpacked package: missing or extra files, dead links, and paths of this machine. */
export function contentProblems(name: Name, folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
  return [
    ...needed.filter((file) => !files.includes(file)).map((file) => `${name}: ${file} is missing.`),
    ...files.filter((file) => !contents[name].test(file)).map((file) => `${name}: ${file} must not ship.`),
    ...files.flatMap((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      const local = text.includes(root) ? [`${name}: ${file} names a path of this machine.`] : []
      return file.endsWith('.md') ? [...local, ...deadLinks(folder, file, text)] : local
    }),
  ]
}

function deadLinks(folder: string, file: string, text: string): string[] {
  const links = [...text.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link)
  return links
    .filter((link) => !existsSync(join(folder, dirname(file), link)))
    .map((link) => `${file} links ${link}, which is not in the package.`)
}

type Component = {
  name: string
  version: string
  licenses?: { license?: { id?: string }; expression?: string }[]
}

/** Writes the SBOM of a package, and returns the dependencies whose licence is not on the list. */
function licenceProblems(name: Name, folder: string, sbom: string): string[] {
  const npm = (...words: string[]) =>
    execFileSync('npm', words, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 2 ** 26,
    })
  // Consumers install peer dependencies under their own licences.
  const file = join(folder, 'package.json')
  const {
    peerDependencies: _,
    peerDependenciesMeta: __,
    ...manifest
  } = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify(manifest))
  npm('install', '--package-lock-only', '--prefer-offline', '--no-audit', '--no-fund')
  const text = npm('sbom', '--package-lock-only', '--sbom-format', 'cyclonedx')
  writeFileSync(sbom, text)
  const { components }: { components: Component[] } = JSON.parse(text)
  return components
    .filter(({ licenses = [] }) => !licenses.some((one) => isFree(one.license?.id ?? one.expression ?? '')))
    .map((found) => `${name}: the licence of ${found.name}@${found.version} is not on the list.`)
}

function problemsOf(name: Name): string[] {
  const manifest = JSON.parse(readFileSync(join(root, `src/${name}/package.json`), 'utf8'))
  const base = join(
    root,
    'dist',
    `${name === 'sandbox' ? 'redeemkit-sandbox' : 'redeemkit'}-${manifest.version}`,
  )
  const tarball = `${base}.tgz`
  const folder = mkdtempSync(join(tmpdir(), 'redeemkit-release-'))
  try {
    execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1'])
    const packed = statSync(tarball).size
    const unpacked = sizeOf(folder)
    process.stdout.write(`${name}: ${packed} bytes packed, ${unpacked} bytes unpacked\n`)
    const [mostPacked, mostUnpacked] = budgets[name]
    return [
      ...manifestProblems(name, manifest),
      ...contentProblems(name, folder),
      ...(packed > mostPacked ? [`${name}: ${packed} bytes packed, the budget is ${mostPacked}.`] : []),
      ...(unpacked > mostUnpacked
        ? [`${name}: ${unpacked} bytes unpacked, the budget is ${mostUnpacked}.`]
        : []),
      ...tarballProblems(name, tarball),
      ...licenceProblems(name, folder, `${base}.cdx.json`),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function sizeOf(path: string): number {
  const found = statSync(path)
  if (!found.isDirectory()) return found.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // Hides npm's list of files.
  execFileSync('npm', ['run', 'pack', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const problems = (['redeemkit', 'sandbox'] as const).flatMap(problemsOf)
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  process.stdout.write(
    problems.length === 0 ? 'Ready to release.\n' : `Not ready: ${problems.length} to fix.\n`,
  )
  process.exitCode = problems.length === 0 ? 0 : 1
}
