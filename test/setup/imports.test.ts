import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

/**
 * Which way the stairs go: what each room may import, besides itself and `core`.
 *
 * A room that does not exist yet has its row already, so that it starts in its place.
 */
const mayImport: Record<string, readonly string[]> = {
  core: [],
  schema: [],
  api: ['schema'],
  evm: ['schema'],
  solana: ['schema'],
  stellar: ['schema'],
  auth: ['schema', 'api'],
  redeem: ['schema', 'api', 'evm'],
  simulation: ['schema', 'evm'],
  review: [],
  merchant: ['schema', 'api'],
  wagmi: ['schema', 'api', 'evm', 'redeem', 'auth'],
  react: ['wagmi'],
  sandbox: ['schema', 'evm', 'solana', 'stellar', 'simulation', 'contracts'],
  testing: everyRoomBut('react', 'testing', 'cli'),
  cli: everyRoomBut('react', 'cli'),
  index: ['schema', 'api', 'auth', 'redeem', 'evm'],
}

/** Packages that only some rooms may pull, so that no browser door carries what belongs to a server or another chain. */
const packageRooms: Record<string, readonly string[]> = {
  viem: ['evm', 'redeem', 'simulation', 'wagmi', 'sandbox', 'testing', 'cli'],
  '@noble/curves': ['evm', 'solana', 'sandbox'],
  '@noble/hashes': ['evm', 'solana', 'stellar', 'sandbox'],
  '@solana/web3.js': ['solana', 'sandbox', 'testing', 'cli'],
  '@solana/kit': ['sandbox'],
  '@stellar/stellar-sdk': ['stellar', 'sandbox', 'testing', 'cli'],
  litesvm: ['sandbox'],
  siwe: ['sandbox'],
  ethers: [],
  hono: ['sandbox', 'merchant', 'testing'],
  zod: ['schema', 'api', 'evm', 'redeem', 'auth', 'merchant', 'sandbox'],
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const sourceRoot = join(root, 'src')

function everyRoomBut(...others: string[]): string[] {
  const rooms =
    'schema api evm solana stellar auth redeem simulation review merchant wagmi sandbox testing contracts'
  return rooms.split(' ').filter((room) => !others.includes(room))
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

/** The room of a path: the folder below `src`, `index` for the front door, `contracts` for generated artifacts. */
function roomOf(file: string): string {
  const [top = '', next] = relative(sourceRoot, file).split(sep)
  if (top === '..') return next === 'contracts' ? 'contracts' : `outside (${relative(root, file)})`
  return top.replace(/\.ts$/, '')
}

function packageOf(specifier: string): string {
  const parts = specifier.split('/')
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier)
}

describe('the stairs of the house', () => {
  const files = sourceFiles()

  test('there are rooms to look at', () => {
    expect(files.length).toBeGreaterThan(20)
  })

  test('no room imports against the arrows', () => {
    const wrong: string[] = []
    for (const file of files) {
      const room = roomOf(file)
      const allowed = mayImport[room]
      if (allowed === undefined) {
        wrong.push(`${relative(root, file)}: room "${room}" is not in the plan`)
        continue
      }
      for (const specifier of importsOf(file)) {
        if (!specifier.startsWith('.')) {
          const rooms = packageRooms[packageOf(specifier)]
          if (rooms !== undefined && !rooms.includes(room))
            wrong.push(`${relative(root, file)}: ${room} may not import the package ${specifier}`)
          continue
        }
        const target = roomOf(resolve(dirname(file), specifier))
        if (target !== room && target !== 'core' && !allowed.includes(target))
          wrong.push(`${relative(root, file)}: ${room} may not import ${target} (${specifier})`)
      }
    }
    expect(wrong).toEqual([])
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

  test('every room opens with a README of at most ten lines', () => {
    const rooms = new Set(files.map(roomOf).filter((room) => room !== 'index'))
    const wrong: string[] = []
    for (const room of rooms) {
      const text = readFileSync(join(sourceRoot, room, 'README.md'), 'utf8')
      // The schema's README lists the decisions taken, and is as long as that list.
      if (room !== 'schema' && text.trimEnd().split('\n').length > 10) wrong.push(room)
    }
    expect(wrong).toEqual([])
  })
})
