import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** The package as somebody gets it: packed, unpacked beside its dependencies, imported by plain Node. */

const root = fileURLToPath(new URL('../..', import.meta.url))
let place: string
let tarball: string

beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'redeemkit-consumer-'))
  run('npm', ['run', 'build'], root)
  const packed = run('npm', ['pack', '--ignore-scripts', '--pack-destination', place], root)
    .trim()
    .split('\n')
    .at(-1)
  tarball = join(place, packed ?? '')
  run('mkdir', ['-p', join(place, 'node_modules/redeemkit')], place)
  run('tar', ['-xzf', tarball, '-C', join(place, 'node_modules/redeemkit'), '--strip-components', '1'], place)
  // Dependencies are the lockfile's: linked, not installed again.
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== 'redeemkit' && !name.startsWith('.'))
      run('ln', ['-s', join(root, 'node_modules', name), join(place, 'node_modules', name)], place)
  writeFileSync(join(place, 'package.json'), '{"type":"module"}')
})

afterAll(() => rmSync(place, { recursive: true, force: true }))

function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

const doors = Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).exports)
  .filter((door) => door !== './package.json')
  .map((door) => `redeemkit${door.slice(1)}`)

describe('the packed package', () => {
  test.each(doors)('%s is imported by plain Node and shows what the source shows', (door) => {
    const code = `console.log(Object.keys(await import('${door}')).sort().join('\\n'))`
    const names = run('node', ['--input-type=module', '-e', code], place)
    const snapshot = readFileSync(join(root, `test/consumers/exports/${door.replace('/', '-')}.txt`), 'utf8')
    expect(names).toBe(snapshot)
  })

  test('a redeem goes through, service and chain included', () => {
    const code = `
      import { createPaymentsClient, redeem } from 'redeemkit'
      import { startSandbox } from '@redeemkit/sandbox'
      import { createPublicClient, http } from 'viem'
      const sandbox = await startSandbox({ bridge: false })
      const { base } = sandbox.chains
      const { alice, bob } = sandbox.people
      const client = createPaymentsClient({ baseUrl: sandbox.url, merchantId: sandbox.merchantId, blockchain: 'base' })
      const { outcome } = await redeem(client, {
        signer: alice.account,
        publicClient: createPublicClient({ transport: http(base.rpcUrl) }),
        chainId: base.chainId,
        pinned: base.pinned,
        subtotal: { cents: 1000 },
        usdcAmount: { cents: 400 },
        transactionData: { type: 'token', destination: bob.address },
      })
      await sandbox.stop()
      console.log(outcome.kind, outcome.amount, outcome.usdcAmount)`
    expect(run('node', ['--input-type=module', '-e', code], place)).toBe('token 10000000n 4000000n\n')
  })

  test('publint has nothing to say', () => {
    expect(run('npx', ['publint', '--strict', tarball], root)).toContain('All good!')
  })

  test('types resolve for every door', () => {
    // Ends with an error code when it has a problem to tell of.
    const output = run('npx', ['attw', tarball, '--profile', 'esm-only', '--no-emoji'], root)
    expect(output.match(/node16 \(from ESM\): OK/g)).toHaveLength(doors.length + 1)
  })

  test('the command runs', () => {
    const output = run('node', [join(place, 'node_modules/redeemkit/dist/cli/index.js'), '--help'], place)
    expect(output).toContain('demo')
  })
})
