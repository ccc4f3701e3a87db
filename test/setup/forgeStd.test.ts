import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import forgeStd from '../vectors/forge-std.json' with { type: 'json' }

/*
 * forge-std is not on npm, so its names stand in for it: a suite can extend its `Test` beside `RedeemTest` if the two share none.
 */

const root = fileURLToPath(new URL('../..', import.meta.url))
const require = createRequire(import.meta.url)

type Node = {
  nodeType: string
  name?: string
  visibility?: string
  nodes?: Node[]
  baseContracts?: { baseName: { name: string } }[]
  symbolAliases?: { foreign: { name: string }; local: string | null }[]
}

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

/** The parsed file and everything that it imports, by path. */
function parse(start: string): Map<string, Node[]> {
  const sources: Record<string, { content: string }> = {}
  const read = (path: string) => {
    if (sources[path] !== undefined) return
    const content = readFileSync(path.startsWith('@') ? require.resolve(path) : join(root, path), 'utf8')
    sources[path] = { content }
    for (const [, imported = ''] of content.matchAll(/^(?:import|\}) [^;]*?from "([^"]+)";/gm))
      read(imported.startsWith('.') ? join(dirname(path), imported) : imported)
  }
  read(start)
  const settings = { stopAfter: 'parsing', outputSelection: { '*': { '': ['ast'] } } }
  const { stdout } = spawnSync(process.execPath, [join(root, 'contracts/solc.mjs')], {
    input: JSON.stringify({ language: 'Solidity', sources, settings }),
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  })
  const parsed: Record<string, { ast: { nodes: Node[] } }> = JSON.parse(stdout).sources
  return new Map(Object.entries(parsed).map(([path, { ast }]) => [path, ast.nodes]))
}

test('RedeemTest declares no name of forge-std’s Test', () => {
  const path = 'contracts/test/RedeemTest.sol'
  const files = parse(path)
  const contracts = new Map([...files.values()].flat().map((node) => [node.name, node]))
  const inherited = (name: string): Node[] => {
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
