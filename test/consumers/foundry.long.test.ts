import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createProject, type Project, packBoth, pinned, root } from './packages.ts'

/** `examples/foundry-merchant` as a merchant uses it: the packed package and forge, without the repository. */

let project: Project

beforeAll(() => {
  project = createProject('npm')
  project.install(packBoth().redeemkit, pinned('viem'), pinned('@foundry-rs/forge'))
  cpSync(join(root, 'examples/foundry-merchant'), project.folder, { recursive: true })
  // A merchant's forge downloads a compiler. This test uses the compiler from npm.
  vi.stubEnv('FOUNDRY_SOLC', join(root, 'contracts/solc.mjs'))
  vi.stubEnv('FOUNDRY_OFFLINE', 'true')
})
afterAll(() => {
  vi.unstubAllEnvs()
  project?.remove()
})

test('the suite passes with one remapping and without via_ir', () => {
  // The command always exits with 0, so check its output.
  const { output } = project.command('forge', 'test')
  expect(output).toContain('2 tests passed, 0 failed')
})

test('a shop that takes more than its price gets a finding', () => {
  const file = join(project.folder, 'src/TicketShop.sol')
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace('count * PRICE)', 'count * PRICE * 2)'))
  try {
    const { output } = project.command('forge', 'test')
    expect(output).toContain('[FAIL: PULLS_MORE: wanted 40000000 of 20000000. Take no more than')
  } finally {
    writeFileSync(file, text)
  }
})

test('every source compiles with that remapping, and Credits to the code that the suite runs', () => {
  const contracts = join(project.folder, 'node_modules/redeemkit/contracts')
  const files = [
    ...readdirSync(join(contracts, 'src')).map((name) => `src/${name}`),
    'test/mocks/MockUsdc.sol',
  ]
  const imports = files.map((file) => `import "redeemkit/contracts/${file}";`)
  const all = join(project.folder, 'src/All.sol')
  writeFileSync(all, `// SPDX-License-Identifier: MIT\npragma solidity ^0.8.28;\n${imports.join('\n')}\n`)
  // The same settings as in the repository's foundry.toml.
  for (const [name, value] of Object.entries({
    VIA_IR: 'true',
    OPTIMIZER: 'true',
    OPTIMIZER_RUNS: '100',
    EVM_VERSION: 'cancun',
    BYTECODE_HASH: 'none',
    CBOR_METADATA: 'false',
  }))
    vi.stubEnv(`FOUNDRY_${name}`, value)
  try {
    const { output } = project.command('forge', 'build', '--skip', 'test')
    expect(output).toContain('Compiler run successful')
    const artifact = JSON.parse(readFileSync(join(project.folder, 'out/Credits.sol/Credits.json'), 'utf8'))
    const code = readFileSync(join(contracts, 'test/redeem/RedeemTestCode.sol'), 'utf8')
    expect(code).toContain(`hex"${artifact.bytecode.object.slice(2)}"`)
  } finally {
    rmSync(all)
  }
})
