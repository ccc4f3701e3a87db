import { mkdtemp, readdir, readFile, rm, stat, symlink, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openAnvil } from '../../src/sandbox/chains/anvil/openAnvil.ts'
import { startAnvil } from '../../src/sandbox/index.ts'

let folder: string
let statePath: string
let warnings: string[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'redeemkit-kept-'))
  statePath = join(folder, '1234.json')
  warnings = []
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

const start = () => startAnvil({ chainId: 1234, statePath, onWarning: (text) => warnings.push(text) })
type Chain = Awaited<ReturnType<typeof start>>

const height = async ({ request }: Chain) => Number(await request({ method: 'eth_blockNumber' }))
const mine = (chain: Chain, blocks: number) =>
  chain.request({ method: 'anvil_mine', params: [`0x${blocks.toString(16)}`] })

/** Simulates a power failure: the process cannot write anything. */
async function kill(chain: Chain): Promise<void> {
  process.kill(Number(await readFile(`${statePath}.pid`, 'utf8')), 'SIGKILL')
  await chain.stop()
}

/**
 * Waits before it stops Anvil, which handles signals only a moment after it starts to listen, and has no state to write before that.
 */
async function liveAndEnd(): Promise<void> {
  const chain = await start()
  for (let asked = 0; asked < 50; asked++) await height(chain)
  await chain.stop()
}

/** Truncates the file that was written last. */
async function cutOff(file: string): Promise<void> {
  await truncate(file, 1000)
}

test('a stopped chain continues where it stopped', async () => {
  const first = await start()
  await mine(first, 3)
  await first.stop()
  const second = await start()
  expect(await height(second)).toBe(3)
  await second.stop()
  expect(warnings).toEqual([])
})

test('a start that ends before it is ready changes nothing', async () => {
  const first = await start()
  await mine(first, 3)
  await first.stop()
  const half = await openAnvil({ chainId: 1234, statePath })
  await half.ask('anvil_mine', ['0x5'])
  await half.stop()
  const second = await start()
  expect(await height(second)).toBe(3)
  await second.stop()
  expect(warnings).toEqual([])
})

test('a killed chain continues from its last checkpoint', async () => {
  const first = await start()
  await mine(first, 3)
  const { mtimeMs } = await stat(statePath)
  await vi.waitFor(async () => expect((await stat(statePath)).mtimeMs).toBeGreaterThan(mtimeMs), {
    timeout: 5_000,
  })
  await kill(first)
  const second = await start()
  expect(await height(second)).toBe(3)
  await second.stop()
})

test('a chain whose process dies alone continues from its last checkpoint, once', async () => {
  const chain = await start()
  const die = async () => process.kill(Number(await readFile(`${statePath}.pid`, 'utf8')), 'SIGKILL')
  await mine(chain, 3)
  const { mtimeMs } = await stat(statePath)
  await vi.waitFor(async () => expect((await stat(statePath)).mtimeMs).toBeGreaterThan(mtimeMs), {
    timeout: 5_000,
  })
  await die()
  await expect.poll(() => height(chain).catch(() => 'gone'), { timeout: 20_000 }).toBe(3)
  const ended = 'Anvil for chain 1234 ended.'
  expect(warnings).toStrictEqual([`${ended} It is restarted once, from its last checkpoint.`])
  await die()
  await expect.poll(() => height(chain).catch(({ name }) => name)).toBe('ChainConnectionError')
  await expect.poll(() => height(chain).catch(() => warnings)).toContain(`${ended} Start the sandbox again.`)
  await chain.stop()
})

test('a chain that is not stored reports its end', async () => {
  const chain = await openAnvil({ chainId: 1234, statePath, onWarning: (text) => warnings.push(text) })
  process.kill(Number(await readFile(`${statePath}.pid`, 'utf8')), 'SIGKILL')
  const ended = ['Anvil for chain 1234 ended. Start the sandbox again.']
  await expect.poll(() => chain.ask('eth_blockNumber', []).catch(() => warnings)).toEqual(ended)
  await chain.stop()
})

test('a chain on a full disk reports that once, and is saved when there is space', async (context) => {
  if (process.platform !== 'linux') return context.skip('only Linux has /dev/full')
  const first = await start()
  await symlink('/dev/full', `${statePath}.half`)
  await mine(first, 3)
  await expect.poll(() => warnings, { timeout: 10_000 }).toEqual(['Chain 1234 could not be saved: ENOSPC.'])
  await rm(`${statePath}.half`)
  const { mtimeMs } = await stat(statePath)
  await expect.poll(async () => (await stat(statePath)).mtimeMs, { timeout: 20_000 }).toBeGreaterThan(mtimeMs)
  await kill(first)
  const second = await start()
  expect(await height(second)).toBe(3)
  await second.stop()
  expect(warnings).toHaveLength(1)
})

test.each(['pid', 'half'])(
  'a start that cannot write its .%s reports that and leaves no process',
  async (name) => {
    vi.stubEnv('TMPDIR', folder)
    await symlink(join(folder, 'missing', 'file'), `${statePath}.${name}`)
    await expect(start()).rejects.toMatchObject({
      name: 'InvalidSandboxOptionsError',
      shortMessage: `The chain cannot be saved in ${statePath}: ENOENT.`,
      fix: expect.stringContaining('Free space'),
    })
    expect((await readdir(folder)).filter((file) => file.startsWith('redeemkit-anvil-'))).toEqual([])
  },
)

test('a restarted chain is prepared again before it responds', async () => {
  const prepared = vi.fn(async ({ ask }: Pick<Awaited<ReturnType<typeof openAnvil>>, 'ask'>) => {
    await ask('anvil_mine', ['0x5'])
  })
  const chain = await openAnvil({ chainId: 1234, statePath, onStarted: prepared })
  await chain.keep()
  process.kill(Number(await readFile(`${statePath}.pid`, 'utf8')), 'SIGKILL')
  const height = () => chain.ask('eth_blockNumber', []).catch(() => 'gone')
  await expect.poll(height, { timeout: 20_000 }).not.toBe('gone')
  expect(prepared).toHaveBeenCalledTimes(2)
  await chain.stop()
})

test('a truncated file is set aside, and the previous one is used', async () => {
  const first = await start()
  await mine(first, 3)
  await first.stop()
  await liveAndEnd()
  await cutOff(`${statePath}.exit`)
  const third = await start()
  expect(await height(third)).toBe(3)
  await third.stop()
  expect(warnings).toEqual([
    expect.stringMatching(
      /^The state file of chain 1234, 1234\.json\.exit, is truncated and was renamed to 1234\.json\.exit\.broken-\S+\. The chain continues from 1234\.json; later changes are lost\.$/,
    ),
  ])
})

test('if every file is truncated, the chain starts over and reports it', async () => {
  await liveAndEnd()
  for (const file of await readdir(folder)) await cutOff(join(folder, file))
  const second = await start()
  expect(await height(second)).toBe(0)
  await second.stop()
  expect(warnings.at(-1)).toContain('There is no older file: the chain starts empty.')
  expect((await readdir(folder)).filter((file) => file.includes('.broken-'))).toHaveLength(2)
})

test('nothing remains in the home or temporary folder', async () => {
  for (const name of ['HOME', 'TMPDIR']) vi.stubEnv(name, folder)
  const chain = await startAnvil({ chainId: 1234 })
  for (let block = 0; block < 600; block++) await mine(chain, 1)
  expect(await height(chain)).toBe(600)
  await chain.stop()
  expect(await readdir(folder)).toEqual([])
})

test('past states stay readable for as many blocks as confirmations need', async () => {
  const chain = await start()
  const account = `0x${'11'.repeat(20)}`
  await mine(chain, 10)
  await chain.request({ method: 'anvil_setBalance', params: [account, '0x7'] })
  await mine(chain, 120)
  expect(await chain.request({ method: 'eth_getBalance', params: [account, '0x9'] })).toBe('0x0')
  expect(await chain.request({ method: 'eth_getBalance', params: [account, '0xb'] })).toBe('0x7')
  await chain.stop()
})
