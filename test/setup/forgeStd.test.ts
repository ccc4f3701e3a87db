import { expect, test } from 'vitest'
import forgeStd from '../vectors/forge-std.json' with { type: 'json' }
import { parseSolidity, type SolidityNode } from './parseSolidity.ts'

/*
 * forge-std is not on npm, so this test uses a list of its names: a suite can extend its `Test` together with `RedeemTest` only if they
 * share none.
 */

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
