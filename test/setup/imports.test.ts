import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { entryPoints } from '../../.config/entryPoints.ts'
import { internals } from '../../src/redeemkit/internal.ts'
import { needsPackage } from '../consumers/packages.ts'
import { folderBelow, layers, mayImport, mayImportFile, packageFolders } from './importRules.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const sourceRoot = join(root, 'src')

function sourceFiles(): string[] {
  return readdirSync(sourceRoot, { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.(test|fixture)\.tsx?$/.test(entry.name),
    )
    .map((entry) => join(entry.parentPath, entry.name))
}

/** Run in the repository only, with its development dependencies; the build inlines what `cardScript.ts` returns. */
const buildScripts = /\/(bundle\w+|cardScript)\.ts$/

function importsOf(file: string): string[] {
  return ts
    .preProcessFile(readFileSync(file, 'utf8'), true, true)
    .importedFiles.map((found) => found.fileName)
}

/** `contracts` for generated artifacts. */
function folderOf(file: string): string {
  const path = relative(sourceRoot, file)
  if (path.startsWith('../contracts/')) return 'contracts'
  return path.startsWith('..') ? `outside (${relative(root, file)})` : folderBelow(path)
}

/** Returns the specifiers of the imports and exports that remain after types are erased. */
function valueImports(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest)
  return source.statements.flatMap((statement) => {
    const erased =
      (ts.isImportDeclaration(statement) && isOnlyTypes(statement.importClause)) ||
      (ts.isExportDeclaration(statement) && statement.isTypeOnly)
    const specifier =
      ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)
        ? statement.moduleSpecifier
        : undefined
    return !erased && specifier !== undefined && ts.isStringLiteral(specifier) ? [specifier.text] : []
  })
}

function isOnlyTypes(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined || clause.name !== undefined) return false
  if (clause.isTypeOnly) return true
  const named = clause.namedBindings
  return named !== undefined && ts.isNamedImports(named) && named.elements.every((one) => one.isTypeOnly)
}

function packageOf(specifier: string): string {
  const parts = specifier.split('/')
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier)
}

describe('the direction of imports', () => {
  const files = sourceFiles()

  test('there are files to check', () => {
    expect(files.length).toBeGreaterThan(20)
  })

  test('no folder imports against the rules', () => {
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
        const imported = resolve(dirname(file), specifier)
        if (mayImportFile[folder]?.includes(relative(join(sourceRoot, 'redeemkit'), imported))) continue
        const target = folderOf(imported)
        if (target !== folder && target !== 'core' && !allowed.includes(target))
          wrong.push(`${relative(root, file)}: ${folder} may not import ${target} (${specifier})`)
      }
    }
    expect(wrong).toEqual([])
  })

  test.each(Object.entries(layers))('in %s, no layer imports one above it', (folder, order) => {
    const layerOf = (file: string) =>
      order.indexOf(relative(join(sourceRoot, folder), file).split(sep)[0] ?? '')
    const wrong: string[] = []
    for (const file of files) {
      const layer = layerOf(file)
      if (layer === -1) continue
      for (const specifier of importsOf(file).filter((text) => text.startsWith('.')))
        if (layerOf(resolve(dirname(file), specifier)) > layer)
          wrong.push(`${relative(root, file)}: ${order[layer]} may not import ${specifier}`)
    }
    expect(wrong).toEqual([])
  })

  test.each(['evm', 'tempo'])('the folders inside %s import in one direction', (folder) => {
    const inside = new Map<string, Set<string>>()
    const layerOf = (file: string) => relative(join(sourceRoot, 'redeemkit', folder), file).split(sep)
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

  test('internal.ts lists what the sandbox imports without its command, and nothing else', () => {
    const used = files
      .filter((file) => relative(sourceRoot, file).startsWith('sandbox') && folderOf(file) !== 'cli')
      .flatMap((file) => importsOf(file).map((specifier) => resolve(dirname(file), specifier)))
      .filter((path) => path.startsWith(join(sourceRoot, 'redeemkit')))
      .map((path) => relative(join(sourceRoot, 'redeemkit'), path).replace(/\.tsx?$/, ''))
    expect([...internals]).toEqual([...new Set(used)].sort())
  })

  test.each(['redeemkit', 'sandbox'])('src/%s imports only packages that its manifest names', (folder) => {
    const manifest = JSON.parse(readFileSync(join(sourceRoot, folder, 'package.json'), 'utf8'))
    const { dependencies, devDependencies, peerDependencies, optionalDependencies } = manifest
    const installed = Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies })
    // The build bundles the command with its dependencies.
    const bundled = Object.keys({ ...devDependencies })
    const foreign = files
      .filter((file) => relative(sourceRoot, file).startsWith(folder) && !buildScripts.test(file))
      .flatMap((file) => {
        const named = folderOf(file) === 'cli' ? [...installed, ...bundled] : installed
        return importsOf(file)
          .filter((text) => !/^(\.|node:)/.test(text) && !named.includes(packageOf(text)))
          .map((text) => `${relative(sourceRoot, file)} imports ${text}`)
      })
    expect(foreign).toEqual([])
  })

  test('the browser path takes values from viem through evm/viem.ts only', () => {
    const browserFolders = ['evm', 'tempo', 'redeem', 'checkout', 'wagmi']
    const wrong = files
      .filter((file) => browserFolders.includes(folderOf(file)) && !file.endsWith('redeemkit/evm/viem.ts'))
      .filter((file) => valueImports(file).some((specifier) => packageOf(specifier) === 'viem'))
      .map((file) => relative(root, file))
    expect(wrong).toEqual([])
  })

  test('an entry point loads no optional package, except those that it is for', () => {
    const manifests = ['redeemkit', 'sandbox'].map((folder) =>
      JSON.parse(readFileSync(join(sourceRoot, folder, 'package.json'), 'utf8')),
    )
    const optional = manifests.flatMap(({ peerDependenciesMeta }) => Object.keys(peerDependenciesMeta))
    const loaded = (file: string, seen: Set<string>): string[] => {
      if (seen.has(file)) return []
      seen.add(file)
      return valueImports(file).flatMap((specifier) => {
        if (specifier.startsWith('.')) return loaded(resolve(dirname(file), specifier), seen)
        return optional.includes(packageOf(specifier)) ? [`${relative(root, file)} loads ${specifier}`] : []
      })
    }
    const wrong = Object.entries(entryPoints)
      .filter(([entryPoint]) => needsPackage[entryPoint] === undefined)
      .flatMap(([, path]) => loaded(join(root, path), new Set()))
    expect(wrong).toEqual([])
  })

  test('no import cycles', () => {
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

  test('every folder with sources opens with a README of at most ten lines, tables aside', () => {
    // The README of a package is npm's page; CONTRIBUTING.md describes its folders.
    const packages = ['.', 'redeemkit', 'sandbox'].map((name) => join(sourceRoot, name))
    const folders = new Set(files.map(dirname).filter((folder) => !packages.includes(folder)))
    const wrong: string[] = []
    for (const folder of folders) {
      const readme = join(folder, 'README.md')
      const text = existsSync(readme) ? readFileSync(readme, 'utf8').trimEnd() : ''
      const lines = text.split('\n').filter((line) => text !== '' && !line.startsWith('|')).length
      // The schema's README contains a list of decisions, so it may be longer.
      const most = folder === join(sourceRoot, 'redeemkit/schema') ? Infinity : 10
      if (lines === 0 || lines > most) wrong.push(`${relative(root, readme)}: ${lines} lines`)
    }
    expect(wrong).toEqual([])
  })
})
