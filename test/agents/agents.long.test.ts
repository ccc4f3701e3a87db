import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packBoth, pinned, root } from '../consumers/packages.ts'
import { createProject, type Project } from '../consumers/project.ts'

/** The checks of the tasks, tested: each passes its solution, and fails a broken copy. Packed packages, no model. */

const here = join(root, 'test/agents')
const artifacts = join(root, 'examples/whitelist-test/out/TicketShop.sol')

/** One change for each task that its check has to notice. */
const breaks: Record<string, readonly [text: string | RegExp, replacement: string]> = {
  redeem: ['purchaseId: orderId,', ''],
  split: ["usdcVersion: version === 1 ? 'V1' : 'V2',", ''],
  'own-shop': [", selector: 'buy(uint256)'", ''],
  'why-a-shop-fails': ['amount: 10_000_000n,', 'amount: 20_000_000n,'],
  inspect: ['mostCents: 2_500', 'mostCents: 2_501'],
  card: ['if (paid.has(orderId)) return', ''],
  'killed-after-submit': ['purchaseId: orderId,', 'purchaseId: String(process.pid),'],
}

let project: Project

beforeAll(() => {
  const tarballs = packBoth()
  project = createProject('npm')
  project.install(tarballs.redeemkit, tarballs.sandbox, pinned('viem'))
  for (const name of ['check.mjs', 'checks'])
    cpSync(join(here, name), join(project.folder, name), { recursive: true })
  cpSync(artifacts, project.folder, { recursive: true })
})
afterAll(() => project?.remove())

/** Runs the check of a task on this text, as after an agent's work. */
function check(name: string, text: string) {
  writeFileSync(join(project.folder, 'solution.mjs'), text)
  return project.command('node', 'check.mjs', name, 'solution.mjs')
}

test('each task has a check, a solution and a change that breaks it', () => {
  const names = (folder: string) => readdirSync(join(here, folder)).map((file) => file.replace(/\.\w+$/, ''))
  for (const folder of ['tasks', 'checks', 'solutions'])
    expect(names(folder).sort()).toEqual(Object.keys(breaks).sort())
})

describe.each(Object.entries(breaks))('%s', (name, [text, replacement]) => {
  const solution = readFileSync(join(here, 'solutions', `${name}.mjs`), 'utf8')

  test('the solution passes', () => {
    const { status, output } = check(name, solution)
    expect(output).toContain(`${name}: passed`)
    expect(status).toBe(0)
  })

  test('a broken solution fails', () => {
    const broken = solution.replace(text, replacement)
    expect(broken).not.toBe(solution)
    const { status, output } = check(name, broken)
    expect(output).toContain(`${name}: failed`)
    expect(status).toBe(1)
  })
})
