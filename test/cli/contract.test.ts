import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { getAddress, parseAbiItem } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { normalMerchantAbi, normalMerchantBytecode } from '../../contracts/generated/merchants.ts'
import { callSandbox, chainOf } from '../../src/sandbox/cli/connection/callSandbox.ts'
import { findMerchant, findSandbox } from '../../src/sandbox/cli/connection/findSandbox.ts'
import { sandboxOptions } from '../../src/sandbox/cli/options.ts'
import { readAbis } from '../../src/sandbox/cli/printReport.ts'
import { type RunningSandbox, startSandbox } from '../../src/sandbox/index.ts'
import { publicClient } from '../service/sandboxClient.ts'
import { artifactOf } from '../simulation/startStage.ts'
import { runCommand, runHere } from './runCommand.ts'

/** A contract developer on the command line with one sandbox. Each test continues from the previous one. */
let sandbox: RunningSandbox
let shop: string
/** A project with a build in it. */
let project: string

beforeAll(async () => {
  sandbox = await startSandbox({ bridge: false })
  const args = [sandbox.chains.base?.usdc]
  shop = await sandbox.deploy({ abi: normalMerchantAbi, bytecode: normalMerchantBytecode, args })
  project = await mkdtemp(join(tmpdir(), 'redeemkit-project-'))
  const { abi, bytecode, deployedBytecode } = artifactOf('NormalMerchant')
  expect(bytecode).toBe(normalMerchantBytecode)
  // The other contract's function has the same selector, and its file comes first.
  const auction = [parseAbiItem('function buy(address bidder, uint256 bid)')]
  for (const [name, artifact] of Object.entries({
    Auction: { abi: auction },
    Shop: { abi, deployedBytecode },
  })) {
    await mkdir(join(project, 'out', `${name}.sol`), { recursive: true })
    await writeFile(join(project, 'out', `${name}.sol`, `${name}.json`), JSON.stringify(artifact))
  }
})
afterAll(async () => {
  await sandbox?.stop()
  await rm(project, { recursive: true, force: true })
})

const env = () => ({ REDEEMKIT_URL: sandbox.url, REDEEMKIT_API_KEY: sandbox.apiKey })

/** Runs the command as a process, for its exit code. */
async function start(...args: string[]) {
  const { ended, stdout, stderr } = await runCommand(args, { cwd: project, env: env() })
  const code = await ended
  return { code, stdout: stdout(), stderr: stderr() }
}

const run = (...args: string[]) => runHere(args, { cwd: project, env: env() })

const buy = (price: string) => [
  ...['--type', 'normal', '--to', shop, '--amount', '10.00', '--usdc', '4'],
  ...['--sig', 'buy(address,uint256)', '--args', 'alice', price],
]

describe('before it is whitelisted', () => {
  test('a refused simulation shows the fix', async () => {
    const { code, stdout } = await start('simulate', ...buy('10000000'))
    expect(code).toBe(1)
    expect(stdout).toContain('NOT_WHITELISTED')
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      `npx redeemkit whitelist request ${shop} "buy(address,uint256)"`,
    )
  })
})

describe('the whitelist', () => {
  test('a request is pending until it is approved', async () => {
    const requested = await run('whitelist', 'request', shop, 'buy(address,uint256)')
    expect(requested).toMatchObject({
      code: 0,
      stdout: `requested: ${shop} on base, 0xcce7ec13 buy(address,uint256)\n`,
      stderr: '',
    })
    expect((await run('whitelist', 'list')).stdout).toMatch(
      new RegExp(`^pending +base +${shop} +0xcce7ec13 buy\\(address,uint256\\)$`, 'm'),
    )
    const approved = await run('whitelist', 'approve', shop, '0xcce7ec13', '--json')
    expect(JSON.parse(approved.stdout)).toEqual({
      blockchain: 'base',
      programId: shop,
      selector: '0xcce7ec13',
      status: 'approved',
      hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    })
  })

  test('removing a missing entry is an error', async () => {
    const { code, stdout, stderr } = await run('whitelist', 'remove', shop, 'bye(address)', '--json')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(JSON.parse(stderr)).toEqual({
      error: {
        name: 'EntryNotFoundError',
        message: expect.stringContaining('bye(address)'),
        field: 'function',
        fix: 'Its entries are 0xcce7ec13 (approved).',
      },
    })
  })
})

describe('a simulation', () => {
  test('that succeeds is printed in 100 columns, with names from the build in this folder', async () => {
    const { code, stdout } = await run('simulate', ...buy('10000000'))
    expect(code).toBe(0)
    expect(stdout).toContain('The redeem succeeds')
    expect(stdout.trimEnd()).toMatch(new RegExp(`^sandbox +${sandbox.url}$`, 'm'))
    expect(stdout).toContain('buy(receiver = ')
    expect(stdout.split('\n').filter((line) => line.length > 100)).toEqual([])
    expect(stdout).not.toContain('\u001b')
  })

  test('that breaks a rule is printed as JSON, with amounts as decimal text', async () => {
    const { code, stdout } = await run('simulate', ...buy('7500000'), '--json')
    expect(code).toBe(0)
    const { verdict, findings, usdc, gas } = JSON.parse(stdout)
    expect([verdict, findings[0].code]).toEqual(['caution', 'PULLS_LESS'])
    expect(usdc).toMatchObject({ approved: '10000000', pulled: '7500000' })
    expect(gas.charged).toMatch(/^[1-9]\d*$/)
  })
})

describe('a redeem', () => {
  test('is executed and reported, and decoding its hash gives the same report', async () => {
    const { code, stdout } = await run('redeem', ...buy('10000000'), '--json')
    expect(code).toBe(0)
    const { verdict, redeem } = JSON.parse(stdout)
    expect([verdict, redeem.signatures]).toEqual(['ok', 'real'])
    const { rpcUrl = '' } = sandbox.chains.base ?? {}
    const client = publicClient(rpcUrl)
    expect(
      await client.readContract({
        address: getAddress(shop),
        abi: normalMerchantAbi,
        functionName: 'paidFor',
        args: [sandbox.accounts.alice.address],
      }),
    ).toBe(10_000_000n)
    const again = await start('decode', redeem.hash, '--json')
    expect(again).toEqual({ code: 0, stdout, stderr: '' })
    expect((await run('decode', redeem.hash)).stdout).toContain('buy(receiver = ')
  })

  test('that leaves an allowance is executed, but refused by its verdict, its exit code and its report', async () => {
    const { abi, bytecode } = artifactOf('LeavesAllowance')
    const target = await sandbox.deploy({ abi, bytecode, args: [sandbox.chains.base?.usdc] })
    await sandbox.whitelist({ target })
    const args = buy('10000000').map((arg) => (arg === shop ? target : arg))
    const simulated = await run('simulate', ...args, '--as', 'bob', '--header-prefix', 'x-svc-', '--json')
    const redeemed = await run('redeem', ...args, '--as', 'bob', '--header-prefix', 'x-svc-', '--json')
    for (const { code, stdout } of [simulated, redeemed]) {
      const { verdict, execution, sandbox: url } = JSON.parse(stdout)
      expect({ code, verdict, execution, url }).toEqual({
        code: 1,
        verdict: 'refuse',
        execution: { succeeded: true },
        url: sandbox.url,
      })
    }
  })

  test('at a shop that rejects receivers with code succeeds for a key account, which has none', async () => {
    const { abi, bytecode } = artifactOf('KeyHeldOnly')
    const target = await sandbox.deploy({ abi, bytecode, args: [sandbox.chains.base?.usdc] })
    await sandbox.whitelist({ target })
    const { code, stdout } = await run(
      'redeem',
      ...buy('10000000').map((arg) => (arg === shop ? target : arg)),
      '--json',
    )
    expect([code, JSON.parse(stdout).verdict]).toEqual([0, 'ok'])
  })

  test('that the contract refuses is reported with the reason and the place', async () => {
    const nobody = `0x${'00'.repeat(20)}`
    const args = buy('10000000').map((arg) => (arg === 'alice' ? nobody : arg))
    const { code, stdout, stderr } = await run('redeem', ...args)
    expect(code).toBe(1)
    const reason = 'The call fails: NormalMerchant: no receiver.'
    expect(stderr.trim()).toBe(`RedeemWouldFailError: ${reason} Nothing was signed.`)
    expect(stdout).toContain(reason)
  })

  test('from a wallet with too few credits is reported with the fix', async () => {
    const { code, stderr } = await run('redeem', ...tokenTo('bob', '999.99'))
    expect(code).toBe(2)
    expect(stderr).toContain('InsufficientFundsError')
    const [, url = '', body = ''] = /curl -X POST (\S+) .* -d '(.*)'$/m.exec(stderr) ?? []
    const minted = await fetch(url, {
      method: 'POST',
      headers: { authorization: sandbox.apiKey, 'content-type': 'application/json' },
      body,
    })
    expect(minted.status).toBe(200)
  })
})

test('a redeem after the clock was moved uses the new time', async () => {
  const moved = await fetch(`${sandbox.url}/sandbox/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advanceSeconds: 7 * 86_400 }),
  })
  expect(moved.status).toBe(200)
  const { code, stderr } = await run('redeem', ...tokenTo('bob'))
  expect([code, stderr]).toStrictEqual([0, expect.not.stringContaining('clock')])
})

describe('an error is reported for', () => {
  test.each([
    ['no sandbox', ['simulate', ...tokenTo('bob'), '--url', 'http://127.0.0.1:1'], 'npx redeemkit sandbox'],
    ['a mistyped option', ['simulate', ...tokenTo('bob'), '--amuont', '1'], 'Did you mean --amount?'],
    [
      'an address without code',
      ['whitelist', 'approve', `0x${'ab'.repeat(20)}`],
      'This chain has no contract at',
    ],
  ])('%s, and the command exits with 2', async (_, args, text) => {
    const { code, stdout, stderr } = await start(...args)
    expect(stderr).toContain(text)
    expect(stderr).not.toMatch(/^ +at /m)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  test('an address, without its user and password', async () => {
    const { code, stderr } = await run('whitelist', 'list', '--url', 'http://me:geheim@127.0.0.1:1')
    expect(code).toBe(2)
    expect(stderr).toContain('--url')
    expect(stderr).not.toContain('geheim')
  })

  test('invalid usage, as one JSON object with --json', async () => {
    const { code, stdout, stderr } = await run('simulate', '--json')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(JSON.parse(stderr)).toEqual({
      error: {
        name: 'UsageError',
        message: "required option '--type <name>' not specified",
        fix: 'Run npx redeemkit simulate --help for usage.',
      },
    })
  })

  /** Parses the options as a command does. */
  const given = (...args: string[]) =>
    sandboxOptions(new Command()).parse(['--url', sandbox.url, ...args], { from: 'user' })

  test('another key', async () => {
    const merchant = await findMerchant(given('--api-key', 'sk_wrong'))
    await expect(callSandbox(merchant, { path: '/sandbox/programs' })).rejects.toThrow(
      /returned 401[\s\S]*Pass the API key that redeemkit sandbox printed/,
    )
  })

  test('no key', async () => {
    await expect(findMerchant(given())).rejects.toThrow('(--api-key or REDEEMKIT_API_KEY), or its folder')
  })

  test('a key that is invalid in a header', async () => {
    await expect(findMerchant(given('--api-key', 'sk_€'))).rejects.toThrow(
      'contains spaces, line breaks or non-ASCII characters',
    )
  })

  test.each([
    ['a web page', 'text/html', '<h1>Hello</h1>'],
    ['other JSON', 'application/json', '{"ok":true}'],
  ])('another program at the address, which responds with %s', async (_, type, body) => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': type }).end(body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo // a TCP server's address has a port
    try {
      await expect(chainOf({ url: `http://127.0.0.1:${port}` }, undefined)).rejects.toThrow(
        new RegExp(`^http://\\S+:${port} is not a sandbox of this version: .* 200 for \\S+, with ${type}`),
      )
    } finally {
      server.close()
    }
  })

  test('a folder without a sandbox', async () => {
    await expect(findSandbox(given('--data-dir', project))).rejects.toThrow(
      `${project} contains no sandbox data.`,
    )
  })

  test('a chain that the sandbox does not have', async () => {
    await expect(chainOf(sandbox, 'monad')).rejects.toThrow('Its chains are base.')
  })

  test('a folder without ABIs', async () => {
    await expect(readAbis(join(project, 'nowhere'))).rejects.toThrow('Cannot read the folder or file')
  })
})

function tokenTo(person: string, amount = '1.00'): string[] {
  return ['--type', 'token', '--to', person, '--amount', amount]
}
