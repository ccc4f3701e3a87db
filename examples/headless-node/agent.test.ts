import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningSandbox, startSandbox } from '@redeemkit/sandbox'
import { createPublicClient, erc20Abi, http } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { baseOf } from '../run/besideSandbox.ts'
import { exitCodes, type LogLine, runAgent } from './agent.ts'
import { type FileStorage, fileStorage } from './fileStorage.ts'
import { type Payment, readPayments, type Settings } from './settings.ts'

let sandbox: RunningSandbox
beforeAll(async () => {
  sandbox = await startSandbox({ bridge: false })
})
afterAll(() => sandbox?.stop())

let folder: string
let settings: Settings
let lines: LogLine[]
/** Bob's USDC when the test began. */
let before: bigint
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'redeemkit-agent-'))
  const base = baseOf(sandbox)
  const { creditsContract, creditSeed } = base.pinned
  settings = {
    baseUrl: sandbox.url,
    merchantId: sandbox.merchantId,
    blockchain: 'base',
    environment: 'sandbox',
    rpcUrl: base.rpcUrl,
    pinned: { creditsContract, creditSeed, maxGasFeeCents: 50 },
    limits: { paymentCents: 1000, dayCents: 2000, receivers: [sandbox.accounts.bob.address] },
  }
  lines = []
  before = await bobsUsdc()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function bobsUsdc(): Promise<bigint> {
  const { rpcUrl, usdc } = baseOf(sandbox)
  return createPublicClient({ transport: http(rpcUrl) }).readContract({
    address: usdc,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [sandbox.accounts.bob.address],
  })
}
const paidToBob = async () => (await bobsUsdc()) - before

/** Every run opens the folder again, like a new process. */
async function run(
  payments: readonly Payment[],
  onLine: (line: LogLine) => void = () => {},
): Promise<number> {
  const log = (line: LogLine) => {
    lines.push(line)
    onLine(line)
  }
  return runAgent(
    { settings, account: sandbox.accounts.alice.account, storage: await fileStorage(folder), log },
    payments,
  )
}
const steps = () => lines.map(({ id, step }) => `${id} ${step}`)
let ids = 0
const payment = (fields: Partial<Payment> = {}): Payment => ({
  id: `bill ${ids++}`,
  to: sandbox.accounts.bob.address,
  cents: 900,
  ...fields,
})

describe('an agent within its limits', () => {
  test('pays a request, and logs each step', async () => {
    const bill = payment({ id: 'hosting', cents: 650, usdcCents: 300 })
    expect(await run([bill])).toBe(exitCodes.paid)
    expect(await paidToBob()).toBe(6_500_000n)
    expect(steps()).toEqual([
      'hosting checked',
      'hosting signing',
      'hosting signing',
      'hosting submitted',
      'hosting paid',
    ])
  })

  test('logs a readable description before it signs', async () => {
    const bill = payment()
    await run([bill])
    expect(lines[0]?.text).toContain(`You send $9.00 to ${bill.to}`)
  })

  test('pays an ID once, even in a second run', async () => {
    const bill = payment()
    await run([bill, bill])
    expect(await run([bill])).toBe(exitCodes.paid)
    expect(await paidToBob()).toBe(9_000_000n)
  })

  test('refuses a different payment under the same ID', async () => {
    const bill = payment()
    await run([bill])
    expect(await run([{ ...bill, cents: 901 }])).toBe(exitCodes.refused)
    expect(await paidToBob()).toBe(9_000_000n)
  })

  test.each([
    ['an amount that exceeds the limit of a payment with its fee', { cents: 951 }, '$10.01'],
    [
      'a receiver that is not allowed',
      { to: '0x000000000000000000000000000000000000dEaD' },
      'not an allowed receiver',
    ],
  ] as const)('refuses %s, and signs nothing', async (_, fields, message) => {
    expect(await run([payment(fields)])).toBe(exitCodes.refused)
    expect(lines).toEqual([
      expect.objectContaining({ step: 'refused', text: expect.stringContaining(message) }),
    ])
  })

  test('applies the daily limit to all runs together', async () => {
    await run([payment()])
    expect(await run([payment(), payment()])).toBe(exitCodes.refused)
    expect(await paidToBob()).toBe(18_000_000n)
  })

  test('releases the budget of a payment that failed', async () => {
    // More than Alice has in USDC: 1000 dollars.
    settings.limits = { ...settings.limits, paymentCents: 500_000, dayCents: 500_000 }
    expect(await run([payment({ cents: 400_000, usdcCents: 400_000 })])).toBe(exitCodes.refused)
    expect(steps().at(-1)).toMatch(/failed$/)
    expect(await run([payment()])).toBe(exitCodes.paid)
    const { spent } = JSON.parse((await (await fileStorage(folder)).getItem('budget')) ?? '[]')[0]
    expect(spent).toBe('9010000')
  })

  test('recommends another run when the service is unavailable', async () => {
    const away = payment()
    settings.baseUrl = 'http://127.0.0.1:1'
    expect(await run([away])).toBe(exitCodes.again)
    settings.baseUrl = sandbox.url
    expect(await run([away])).toBe(exitCodes.paid)
  })
})

describe('an agent that was killed during a payment', () => {
  test.each(['checked', 'signing', 'submitted'] as const)('at "%s" resumes, and pays once', async (step) => {
    const bill = payment()
    await run([bill], (line) => {
      if (line.step === step) throw new Error('The power is gone.')
    })
    lines = []
    expect(await run([bill])).toBe(exitCodes.paid)
    expect(await paidToBob()).toBe(9_000_000n)
  })

  test('resumes the open redeem before it makes a new payment', async () => {
    const bill = payment()
    await run([bill], ({ step }) => {
      if (step === 'submitted') throw new Error('The power is gone.')
    })
    lines = []
    expect(await run([])).toBe(exitCodes.paid)
    expect(steps()).toEqual([`${bill.id} resuming`, `${bill.id} paid`])
  })
})

test('reports a line that is not a payment', () => {
  const good = JSON.stringify({ id: 'a', to: '0x000000000000000000000000000000000000dEaD', cents: 1 })
  expect(() => readPayments(`${good}\n\n{"id":"b","to":"bob","cents":1}`)).toThrow(/^line 3: to: /)
})

describe('storage in files', () => {
  let folder: string
  let storage: FileStorage
  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'redeemkit-storage-')), 'state')
    storage = await fileStorage(folder)
  })
  afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }))

  test('the next process can read a value', async () => {
    await storage.setItem('a/b: c', 'value')
    const next = await fileStorage(folder)
    expect([await next.getItem('a/b: c'), await next.keys()]).toEqual(['value', ['a/b: c']])
  })

  test('a missing or removed item is null', async () => {
    await storage.setItem('a', 'value')
    await storage.removeItem('a')
    expect([await storage.getItem('a'), await storage.getItem('b'), await storage.keys()]).toEqual([
      null,
      null,
      [],
    ])
  })

  test('replaces a value only if it has the expected old value', async () => {
    expect(await storage.replaceItem('a', 'other', 'new')).toBe(false)
    expect(await storage.replaceItem('a', null, 'first')).toBe(true)
    expect(await storage.replaceItem('a', null, 'second')).toBe(false)
    expect(await storage.getItem('a')).toBe('first')
  })

  test('of two concurrent replacements of a value, one succeeds', async () => {
    const others = await Promise.all([fileStorage(folder), fileStorage(folder)])
    const done = await Promise.all(others.map((one, index) => one.replaceItem('a', null, `value ${index}`)))
    expect(done.filter(Boolean)).toHaveLength(1)
  })

  test('concurrent changes are all kept', async () => {
    const add = (value: string | null) => `${Number(value ?? 0) + 1}`
    const others = await Promise.all([fileStorage(folder), fileStorage(folder)])
    await Promise.all([...others, ...others].map((one) => one.update('count', add)))
    expect(await storage.getItem('count')).toBe('4')
  })

  test('ignores the half-written file of a killed process', async () => {
    await storage.setItem('a', 'whole')
    await writeFile(join(folder, 'a.json.4711.new'), 'ha')
    expect([await storage.getItem('a'), await storage.keys()]).toEqual(['whole', ['a']])
  })

  test('only the owner of the folder can read it', async () => {
    await storage.setItem('a', 'value')
    const modes = await Promise.all([stat(folder), stat(join(folder, 'a.json'))])
    expect(modes.map(({ mode }) => mode & 0o077)).toEqual([0, 0])
  })
})
