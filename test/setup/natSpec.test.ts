import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseSolidity, type SolidityNode } from './parseSolidity.ts'

const folder = new URL('../../contracts/src/', import.meta.url)
const documented = new Set(['ErrorDefinition', 'EventDefinition', 'FunctionDefinition', 'StructDefinition'])

/** The tags that a declaration of an interface lacks. */
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
