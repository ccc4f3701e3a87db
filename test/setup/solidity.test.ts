import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import forgeStd from '../vectors/forge-std.json' with { type: 'json' }

const root = fileURLToPath(new URL('../..', import.meta.url))
const require = createRequire(import.meta.url)

const folder = new URL('../../contracts/src/', import.meta.url)
const documented = new Set(['ErrorDefinition', 'EventDefinition', 'FunctionDefinition', 'StructDefinition'])

/** Returns the tags that a declaration of an interface lacks. */
function missing({ documentation, parameters, members }: SolidityNode): string[] {
  const text = documentation?.text ?? ''
  const tags = ['@notice', ...(parameters?.parameters ?? members ?? []).map(({ name }) => `@param ${name}`)]
  return tags.filter((tag) => !new RegExp(`${tag}\\b`).test(text))
}

test('every function, event, error and struct of the interfaces is documented, with each parameter', () => {
  const paths = readdirSync(folder)
    .filter((name) => /^I[A-Z]/.test(name))
    .map((name) => `contracts/src/${name}`)
  const files = parseSolidity(paths)
  const nodes = paths.flatMap((path) => files.get(path) ?? []).flatMap(({ nodes = [] }) => nodes)
  const declared = nodes.filter(({ nodeType }) => documented.has(nodeType))
  expect(declared.length).toBeGreaterThan(150)
  const gaps = declared.flatMap((node) => missing(node).map((tag) => `${node.name}: ${tag}`))
  expect(gaps).toEqual([])
})

/**
 * forge-std is not on npm, so this test uses a list of its names: a suite can extend its `Test` together with `RedeemTest` only if they
 * share none.
 */
test('RedeemTest declares no name of forge-std’s Test', () => {
  const path = 'contracts/test/RedeemTest.sol'
  const files = parseSolidity([path])
  const contracts = new Map([...files.values()].flat().map((node) => [node.name, node]))
  const inherited = (name: string): SolidityNode[] => {
    const { baseContracts = [], nodes = [] } = contracts.get(name) ?? expect.fail(name)
    return [...nodes, ...baseContracts.flatMap(({ baseName }) => inherited(baseName.name))]
  }
  const own = inherited('RedeemTest')
    .filter(({ nodeType, visibility }) => declarations.has(nodeType) && visibility !== 'private')
    .flatMap(({ name }) => name || [])
  expect(own).toEqual(expect.arrayContaining(['assertSettles', 'judgeRedeem', 'redeemUsdc', 'REDEEM_SEED']))
  expect(own.filter((name) => forgeStd.contract.includes(name))).toEqual([])
  // `import "…/RedeemTest.sol"` brings these.
  const exported = (files.get(path) ?? []).flatMap(({ name, symbolAliases = [] }) => [
    ...(name ? [name] : []),
    ...symbolAliases.map(({ local, foreign }) => local ?? foreign.name),
  ])
  expect(exported).toEqual(expect.arrayContaining(['RedeemTest', 'ICredits', 'RedeemCase']))
  expect(exported.filter((name) => forgeStd.file.includes(name))).toEqual([])
})

const declarations = new Set([
  'EnumDefinition',
  'ErrorDefinition',
  'EventDefinition',
  'FunctionDefinition',
  'ModifierDefinition',
  'StructDefinition',
  'UserDefinedValueTypeDefinition',
  'VariableDeclaration',
])

/** The parts of a node of solc's syntax tree that tests read. */
type SolidityNode = {
  nodeType: string
  name?: string
  visibility?: string
  nodes?: SolidityNode[]
  baseContracts?: { baseName: { name: string } }[]
  symbolAliases?: { foreign: { name: string }; local: string | null }[]
  documentation?: { text: string } | null
  parameters?: { parameters: { name: string }[] }
  returnParameters?: { parameters: { name: string }[] } | null
  members?: { name: string }[]
}

/** Parses Solidity files of this repository and everything that they import. Returns the top nodes of each file by path. */
function parseSolidity(paths: readonly string[]): Map<string, SolidityNode[]> {
  const sources: Record<string, { content: string }> = {}
  const read = (path: string) => {
    if (sources[path] !== undefined) return
    const content = readFileSync(path.startsWith('@') ? require.resolve(path) : join(root, path), 'utf8')
    sources[path] = { content }
    for (const [, imported = ''] of content.matchAll(/^(?:import|\}) [^;]*?from "([^"]+)";/gm))
      read(imported.startsWith('.') ? join(dirname(path), imported) : imported)
  }
  for (const path of paths) read(path)
  const settings = { stopAfter: 'parsing', outputSelection: { '*': { '': ['ast'] } } }
  const { stdout } = spawnSync(process.execPath, [join(root, 'contracts/solc.mjs')], {
    input: JSON.stringify({ language: 'Solidity', sources, settings }),
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  })
  const parsed: Record<string, { ast: { nodes: SolidityNode[] } }> = JSON.parse(stdout).sources
  return new Map(Object.entries(parsed).map(([path, { ast }]) => [path, ast.nodes]))
}
