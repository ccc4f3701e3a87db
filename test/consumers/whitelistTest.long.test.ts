import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProject, type Project, packBoth, pinned, root } from './packages.ts'

/** `examples/whitelist-test` as a merchant uses it: the packed packages and Vitest, without the repository. */

const example = join(root, 'examples/whitelist-test')

describe('a merchant’s Vitest suite', () => {
  let project: Project
  beforeAll(() => {
    const tarballs = packBoth()
    project = createProject('npm')
    project.install(tarballs.redeemkit, tarballs.sandbox, pinned('viem'), pinned('vitest'))
    for (const name of ['shop.test.ts', 'out', 'contracts'])
      cpSync(join(example, name), join(project.folder, name), { recursive: true })
  })
  afterAll(() => project?.remove())

  test('passes', () => {
    const { status, output } = project.command('vitest', 'run')
    expect(stripVTControlCharacters(output)).toMatch(/Tests\s+4 passed/)
    expect(status).toBe(0)
  })

  test('fails for a bad contract with the rule, and the whole report', () => {
    const good = readFileSync(join(project.folder, 'shop.test.ts'), 'utf8')
    const bad = good.replaceAll('open(ticketShop)', 'open(silentShop)')
    writeFileSync(join(project.folder, 'bad.test.ts'), bad)
    const { status, output } = project.command('vitest', 'run', 'bad.test.ts')
    expect(status).toBe(1)
    expect(output).toContain('Expected that the redeem settles')
    expect(output).toContain('MINTS_WITHOUT_HOOK')
    expect(output).toContain('buy(')
  })
})

test('the artifacts match the compiled sources', () => {
  const solc = createRequire(import.meta.url)('solc')
  const name = 'contracts/TicketShop.sol'
  const sources = { [name]: { content: readFileSync(join(example, name), 'utf8') } }
  const settings = {
    optimizer: { enabled: true, runs: 200 },
    metadata: { bytecodeHash: 'none', appendCBOR: false },
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
  }
  const { contracts } = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings })))
  for (const contract of ['TicketShop', 'GenerousShop', 'SilentShop']) {
    const artifact = JSON.parse(readFileSync(join(example, `out/TicketShop.sol/${contract}.json`), 'utf8'))
    const { abi, evm } = contracts[name][contract]
    expect(artifact).toEqual({ abi, bytecode: { object: `0x${evm.bytecode.object}` } })
  }
})
