import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

/**
 * Which way imports go: what each folder below `src` may import, besides itself and `core`.
 *
 * A folder that does not exist yet has its row already, so that it starts in its place.
 */
const mayImport: Record<string, readonly string[]> = {
  core: [],
  schema: [],
  api: ['schema'],
  evm: ['schema'],
  tempo: ['schema', 'evm'],
  solana: ['schema'],
  stellar: ['schema'],
  auth: ['schema', 'api'],
  redeem: ['schema', 'api', 'evm'],
  simulation: ['schema', 'evm'],
  review: [],
  merchant: ['schema', 'api'],
  wagmi: ['schema', 'api', 'evm', 'redeem', 'auth'],
  react: ['wagmi'],
  sandbox: ['schema', 'evm', 'tempo', 'solana', 'stellar', 'simulation', 'contracts'],
  testing: allFoldersBut('react', 'testing', 'cli'),
  cli: allFoldersBut('react', 'cli'),
  index: ['schema', 'api', 'auth', 'redeem', 'evm'],
}

/** Packages that only some folders may pull, so that no browser entry point carries what belongs to a server or another chain. */
const packageFolders: Record<string, readonly string[]> = {
  viem: ['evm', 'tempo', 'redeem', 'simulation', 'wagmi', 'sandbox', 'testing', 'cli'],
  '@noble/curves': ['evm', 'tempo', 'solana', 'sandbox'],
  '@noble/hashes': ['evm', 'tempo', 'solana', 'stellar', 'sandbox'],
  '@solana/web3.js': ['solana', 'sandbox', 'testing', 'cli'],
  '@solana/kit': ['sandbox'],
  '@stellar/stellar-sdk': ['stellar', 'sandbox', 'testing', 'cli'],
  litesvm: ['sandbox'],
  siwe: ['sandbox'],
  ethers: [],
  hono: ['sandbox', 'merchant', 'testing'],
  zod: ['schema', 'api', 'evm', 'tempo', 'redeem', 'auth', 'merchant', 'sandbox'],
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const sourceRoot = join(root, 'src')

function allFoldersBut(...others: string[]): string[] {
  const folders =
    'schema api evm tempo solana stellar auth redeem simulation review merchant wagmi sandbox testing contracts'
  return folders.split(' ').filter((folder) => !others.includes(folder))
}

function sourceFiles(): string[] {
  return readdirSync(sourceRoot, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
}

function importsOf(file: string): string[] {
  return ts
    .preProcessFile(readFileSync(file, 'utf8'), true, true)
    .importedFiles.map((found) => found.fileName)
}

/** The folder of a path: the one below `src`, `index` for the main entry point, `contracts` for generated artifacts. */
function folderOf(file: string): string {
  const [top = '', next] = relative(sourceRoot, file).split(sep)
  if (top === '..') return next === 'contracts' ? 'contracts' : `outside (${relative(root, file)})`
  return top.replace(/\.ts$/, '')
}

function packageOf(specifier: string): string {
  const parts = specifier.split('/')
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier)
}

describe('which way imports go', () => {
  const files = sourceFiles()

  test('there are files to look at', () => {
    expect(files.length).toBeGreaterThan(20)
  })

  test('no folder imports against the arrows', () => {
    const wrong: string[] = []
    for (const file of files) {
      const folder = folderOf(file)
      const allowed = mayImport[folder]
      if (allowed === undefined) {
        wrong.push(`${relative(root, file)}: folder "${folder}" is not in the plan`)
        continue
      }
      for (const specifier of importsOf(file)) {
        if (!specifier.startsWith('.')) {
          const folders = packageFolders[packageOf(specifier)]
          if (folders !== undefined && !folders.includes(folder))
            wrong.push(`${relative(root, file)}: ${folder} may not import the package ${specifier}`)
          continue
        }
        const target = folderOf(resolve(dirname(file), specifier))
        if (target !== folder && target !== 'core' && !allowed.includes(target))
          wrong.push(`${relative(root, file)}: ${folder} may not import ${target} (${specifier})`)
      }
    }
    expect(wrong).toEqual([])
  })

  test.each(['evm', 'tempo'])('the folders inside %s import one way only', (folder) => {
    const inside = new Map<string, Set<string>>()
    const layerOf = (file: string) => relative(join(sourceRoot, folder), file).split(sep)
    for (const file of files.filter((one) => folderOf(one) === folder)) {
      const [from = ''] = layerOf(file)
      for (const specifier of importsOf(file).filter((one) => one.startsWith('.'))) {
        const target = resolve(dirname(file), specifier)
        const [to = ''] = layerOf(target)
        if (folderOf(target) === folder && to !== from)
          inside.set(from, (inside.get(from) ?? new Set()).add(to))
      }
    }
    const below = (layer: string, seen = new Set<string>()): Set<string> => {
      for (const next of inside.get(layer) ?? []) if (!seen.has(next)) below(next, seen.add(next))
      return seen
    }
    expect(inside.size).toBeGreaterThan(2)
    expect([...inside.keys()].filter((layer) => below(layer).has(layer))).toEqual([])
  })

  test('no circles between files', () => {
    const graph = new Map(
      files.map((file) => [
        file,
        importsOf(file)
          .filter((specifier) => specifier.startsWith('.'))
          .map((specifier) => resolve(dirname(file), specifier)),
      ]),
    )
    const done = new Set<string>()
    const circles: string[] = []
    const visit = (file: string, path: readonly string[]) => {
      if (path.includes(file)) {
        const circle = [...path.slice(path.indexOf(file)), file]
        circles.push(circle.map((step) => relative(sourceRoot, step)).join(' → '))
        return
      }
      if (done.has(file)) return
      for (const next of graph.get(file) ?? []) visit(next, [...path, file])
      done.add(file)
    }
    for (const file of files) visit(file, [])
    expect(circles).toEqual([])
  })

  test('every folder opens with a README of at most ten lines', () => {
    const folders = new Set(files.map(folderOf).filter((folder) => folder !== 'index'))
    const wrong: string[] = []
    for (const folder of folders) {
      const text = readFileSync(join(sourceRoot, folder, 'README.md'), 'utf8')
      // The schema's README lists the decisions taken, and is as long as that list.
      if (folder !== 'schema' && text.trimEnd().split('\n').length > 10) wrong.push(folder)
    }
    expect(wrong).toEqual([])
  })
})
