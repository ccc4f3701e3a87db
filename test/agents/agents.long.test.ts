import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createProject, type Project, packBoth, pinned, root } from '../consumers/packages.ts'

/** Each task's check accepts the solution and rejects a broken copy. The test uses packed packages and no model. */

const here = join(root, 'test/agents')
const artifacts = join(root, 'examples/whitelist-test/out/TicketShop.sol')

/** For each task, a change that its check must detect. */
const breaks: Record<string, readonly [text: string | RegExp, replacement: string]> = {
  redeem: ['purchaseId: orderId,', ''],
  split: ["usdcVersion: version === 1 ? 'V1' : 'V2',", ''],
  'own-shop': [", selector: 'buy(uint256)'", ''],
  'why-a-shop-fails': ['amount: 10_000_000n,', 'amount: 20_000_000n,'],
  inspect: ['intent, now', 'now'],
  card: ['if (paid.has(orderId)) return', ''],
  'killed-after-submit': ['purchaseId: orderId,', 'purchaseId: String(process.pid),'],
  whitelist: [', selector }', ' }'],
  'sign-in': ['return false', 'return true'],
  subscription: ["(purchase) => purchase.status === 'settled'", '() => true'],
  sponsored: ['BigInt(cents) * 100_000n', 'BigInt(cents) * 10_000n'],
  vitest: ["expect(report.verdict).toBe('ok')", ''],
  foundry: ['assert(shop.ticketsOf(redeemCustomer()) == 3);', ''],
}

/** Files that the tasks use in addition to the two packages and viem. */
const packages = ['@solana/web3.js', '@stellar/stellar-sdk', 'vitest', '@foundry-rs/forge']

let project: Project

beforeAll(() => {
  const tarballs = packBoth()
  project = createProject('npm')
  project.install(tarballs.redeemkit, tarballs.sandbox, pinned('viem'), ...packages.map(pinned))
  for (const name of ['check.mjs', 'checks'])
    cpSync(join(here, name), join(project.folder, name), { recursive: true })
  cpSync(artifacts, project.folder, { recursive: true })
  for (const name of ['foundry.toml', 'src'])
    cpSync(join(root, 'examples/foundry-merchant', name), join(project.folder, name), { recursive: true })
  // An agent's forge downloads a compiler. This test uses the compiler from npm.
  vi.stubEnv('FOUNDRY_SOLC', join(root, 'contracts/solc.mjs'))
  vi.stubEnv('FOUNDRY_OFFLINE', 'true')
})
afterAll(() => {
  vi.unstubAllEnvs()
  project?.remove()
})

const filesOf = (folder: string) => readdirSync(join(here, folder))
const nameOf = (file: string) => file.replace(/\..*$/, '')

/** Runs the check of a task on this text, as it runs after an agent's work. */
function check(name: string, { text, extension }: { text: string; extension: string }) {
  const file = `solution${extension}`
  writeFileSync(join(project.folder, file), text)
  return project.command('node', 'check.mjs', name, file)
}

test('each task has a check, a solution and a change that breaks it', () => {
  const names = Object.keys(breaks).sort()
  const tasks = readFileSync(join(here, 'tasks.md'), 'utf8')
  expect([...tasks.matchAll(/^## (.+)$/gm)].map(([, name]) => name).sort()).toEqual(names)
  for (const folder of ['checks', 'solutions']) expect(filesOf(folder).map(nameOf).sort()).toEqual(names)
})

describe.each(Object.entries(breaks))('%s', (name, [text, replacement]) => {
  const file = filesOf('solutions').find((one) => nameOf(one) === name) ?? `${name}.mjs`
  const extension = file.slice(name.length)
  const solution = readFileSync(join(here, 'solutions', file), 'utf8')

  test('the solution passes', () => {
    const { status, output } = check(name, { text: solution, extension })
    expect(output).toContain(`${name}: passed`)
    expect(status).toBe(0)
  })

  test('a broken solution fails', () => {
    const broken = solution.replace(text, replacement)
    expect(broken).not.toBe(solution)
    const { status, output } = check(name, { text: broken, extension })
    expect(output).toContain(`${name}: failed`)
    expect(status).toBe(1)
  })
})
