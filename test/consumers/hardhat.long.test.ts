import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createProject, type Project, packBoth, pinned, root } from './packages.ts'

/** `examples/hardhat-merchant` as a merchant uses it: the packed packages and Hardhat 2, without the repository. */

const example = join(root, 'examples/hardhat-merchant')
/** Hardhat takes 290 MB, so the repository does not install it. Hardhat 3 needs Node 22. */
const hardhat = ['hardhat@2.29.1', '@nomicfoundation/hardhat-ethers@3.1.3', pinned('ethers'), pinned('solc')]

let project: Project
beforeAll(() => {
  const tarballs = packBoth()
  vi.stubEnv('HARDHAT_DISABLE_TELEMETRY_PROMPT', 'true')
  project = createProject('npm')
  project.install(tarballs.redeemkit, tarballs.sandbox, pinned('viem'), ...hardhat)
  for (const name of ['hardhat.config.cjs', 'contracts', 'test'])
    cpSync(join(example, name), join(project.folder, name), { recursive: true })
  const { output } = project.command('hardhat', 'compile')
  expect(output).toContain('Compiled 1 Solidity file successfully')
})
afterAll(() => {
  vi.unstubAllEnvs()
  project?.remove()
})

function whileChanged<Result>(path: string, change: (text: string) => string, action: () => Result): Result {
  const file = join(project.folder, path)
  const text = readFileSync(file, 'utf8')
  const changed = change(text)
  expect(changed).not.toBe(text)
  writeFileSync(file, changed)
  try {
    return action()
  } finally {
    writeFileSync(file, text)
  }
}

const runSuite = () => {
  const { status, output } = project.command('hardhat', 'test')
  return { status, output: stripVTControlCharacters(output) }
}

describe('a merchant’s Hardhat suite', () => {
  test('passes', () => {
    const { status, output } = runSuite()
    expect(output).toMatch(/^\s+3 passing/m)
    expect(status).toBe(0)
  })

  test('passes without "type": "module" too, as in a project created by npm init', () => {
    const { status, output } = whileChanged(
      'package.json',
      (text) => text.replace(/"type": ?"module"/, '"type": "commonjs"'),
      runSuite,
    )
    expect(output).toMatch(/^\s+3 passing/m)
    expect(status).toBe(0)
  })

  test('fails for a bad contract with the rule and the whole report', () => {
    const { status, output } = whileChanged(
      'test/TicketShop.mjs',
      (text) => text.replace("open('TicketShop', 2n)", "open('GenerousShop', 2n)"),
      runSuite,
    )
    expect(status).toBe(1)
    expect(output).toContain('PULLS_LESS')
    expect(output).toContain('target.buy(receiver = customer, count = 2)')
    expect(output).toContain('2 passing')
  })
})

/** A shop on Hardhat's own node, which has only its own trace format. */
const redeemOnCopy = `
  import { simulateRedeem, startFork } from '@redeemkit/sandbox/testing'
  import hardhat from 'hardhat'
  import { normal } from 'redeemkit/evm'
  import { createPublicClient, http } from 'viem'

  const { artifacts, ethers, network, run } = hardhat
  const server = await run('node:create-server', { hostname: '127.0.0.1', port: 0, provider: network.provider })
  const forkUrl = 'http://127.0.0.1:' + (await server.listen()).port
  const usdc = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
  const shop = await ethers.deployContract('TicketShop', [usdc, 10n])
  const fork = await startFork({ blockchain: 'base', forkUrl })
  await fork.whitelist({ target: shop.target })
  const { abi } = await artifacts.readArtifact('TicketShop')
  const { address: wallet } = fork.accounts.alice
  const transactionData = normal({ to: shop.target, abi, functionName: 'buy', args: [wallet, 2n] })
  const { verdict } = await fork.redeem({ transactionData, amount: 20_000_000n })

  const { creditsContract, creditSeed, operator: relayer } = fork
  await network.provider.send('hardhat_setCode', [creditsContract, await fork.client.getCode({ address: creditsContract })])
  const onItself = await simulateRedeem(createPublicClient({ transport: http(forkUrl) }), {
    creditsContract, creditSeed, relayer, wallet, amount: 20_000_000n, transactionData,
  }).catch((error) => error)
  await fork.stop()
  await server.close()
  console.log(JSON.stringify({ verdict, onItself: onItself.name, left: String(await shop.left()) }))`

test('a contract on Hardhat’s own node is judged on a copy of the chain, which stays unchanged', () => {
  vi.stubEnv('HARDHAT_NETWORK', 'hardhat')
  try {
    const said = project.run(redeemOnCopy)
    expect(JSON.parse(said)).toEqual({ verdict: 'ok', onItself: 'TracingUnavailableError', left: '10' })
  } finally {
    vi.stubEnv('HARDHAT_NETWORK', undefined)
  }
})

describe('the Solidity sources', () => {
  const path = 'redeemkit/contracts'

  /** Compiles files of the package with the settings. */
  const compile = (files: readonly string[], settings: object) => {
    const imports = files.map((file) => `import "${path}/${file}";`).join('\n')
    const all = join(project.folder, 'contracts/All.sol')
    writeFileSync(all, `// SPDX-License-Identifier: MIT\npragma solidity ^0.8.28;\n${imports}\n`)
    try {
      return whileChanged(
        'hardhat.config.cjs',
        (text) =>
          text.replace(/(?<=solidity: )(.*),$/m, `{ version: $1, settings: ${JSON.stringify(settings)} },`),
        () => project.command('hardhat', 'compile').output,
      )
    } finally {
      rmSync(all)
    }
  }

  const isImported = (file: string) => {
    const found = `import.meta.resolve('redeemkit/${file}')`
    return project.run(`console.log(${found})`).trim().endsWith(`/node_modules/${path}/src/ICredits.sol`)
  }

  test('have one path under Hardhat 2, which reads the folder, and Hardhat 3, which reads the package’s exports', () => {
    expect(isImported('contracts/src/ICredits.sol')).toBe(true)
    expect(isImported('contracts/src/ICredits.sol')).toBe(true)
  })

  test('the interfaces and the mock USDC compile with Hardhat’s own settings', () => {
    const output = compile(['src/ICredits.sol', 'src/IUsdc.sol', 'test/mocks/MockUsdc.sol'], {})
    expect(output).toMatch(/Compiled \d+ Solidity files? successfully/)
  })

  test('Credits compiles to the code that the fork has', () => {
    const contracts = join(project.folder, 'node_modules', path)
    // The same settings as in the repository's foundry.toml.
    const output = compile(['src/Credits.sol'], {
      viaIR: true,
      optimizer: { enabled: true, runs: 100 },
      evmVersion: 'cancun',
      metadata: { bytecodeHash: 'none', appendCBOR: false },
    })
    expect(output).toMatch(/Compiled \d+ Solidity files? successfully/)
    const artifact = join(project.folder, 'artifacts', path, 'src/Credits.sol/Credits.json')
    const { bytecode } = JSON.parse(readFileSync(artifact, 'utf8'))
    const code = readFileSync(join(contracts, 'test/redeem/RedeemTestCode.sol'), 'utf8')
    expect(code).toContain(`hex"${bytecode.slice(2)}"`)
  })
})
