import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const require = createRequire(import.meta.url)

/** The parts of a node of solc's syntax tree that tests read. */
export type SolidityNode = {
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
export function parseSolidity(paths: readonly string[]): Map<string, SolidityNode[]> {
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
