import { encodeErrorResult, parseAbi, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { normalMerchantAbi, normalMerchantBytecode } from '../../contracts/generated/merchants.ts'
import { waitForReceipt } from '../../src/sandbox/chains/waitForReceipt.ts'
import { type RunningSandbox, startSandbox } from '../../src/sandbox/index.ts'
import { maxAdvanceSeconds } from '../../src/sandbox/service/controls/clock.ts'
import {
  anvil,
  type Caller,
  caller,
  creditsAuthMsgPath,
  customer,
  publicClient,
  sendGaslessTxPath,
  signedBody,
} from './sandboxClient.ts'

/** Tests the functions of the process that started a sandbox. The tests of a group depend on each other. */
let sandbox: RunningSandbox
let service: Caller
const someone = `0x${'5a'.repeat(20)}` as const

beforeAll(async () => {
  sandbox = await startSandbox({ bridge: true })
  service = caller(sandbox.app)
})
afterAll(() => sandbox?.stop())

const client = () => publicClient(sandbox.chains.base?.rpcUrl ?? '')
const balances = async (wallet: `0x${string}`) =>
  (await service.get(`/api/customer/balances/${sandbox.merchantId}`, customer(wallet))).body
const prepared = () =>
  signedBody(service, {
    request: {
      merchantId: sandbox.merchantId,
      subtotal: { cents: 100 },
      transactionData: { type: 'token', destination: someone },
    },
    key: sandbox.accounts.alice.account,
  })
const submit = (body: object) =>
  service.post(sendGaslessTxPath, body, customer(sandbox.accounts.alice.address))
const mined = async ({ body }: Awaited<ReturnType<typeof submit>>) =>
  (await waitForReceipt(client(), body.hash)).status

describe('fund', () => {
  const wallet = `0x${'5b'.repeat(20)}` as const

  test('adds USDC, credits and coin to the balances in one call', async () => {
    for (const _ of [1, 2])
      await sandbox.fund({ wallet, usdcCents: 250, creditsCents: 300, coin: parseEther('0.5') })
    expect(await balances(wallet)).toEqual({ credits: { cents: 600 }, usdc: { cents: 500 } })
    expect(await client().getBalance({ address: wallet })).toBe(parseEther('1'))
  })

  test.each([
    [{}, 'usdcCents'],
    [{ usdcCents: -1 }, 'usdcCents'],
    [{ coin: 1 }, 'coin'],
    [{ cents: 5 }, 'cents'],
    [{ usdcCents: 1, blockchain: 'polygon' }, 'blockchain'],
  ])('%j is refused', async (wrong, field) => {
    await expect(sandbox.fund({ wallet, ...wrong } as never)).rejects.toMatchObject({ field }) // untyped callers can pass this
  })
})

describe('deploy', () => {
  const abi = normalMerchantAbi
  const bytecode = normalMerchantBytecode
  const usdc = () => sandbox.chains.base?.usdc

  test.each<[string, object]>([
    ['abi and bytecode', { abi, bytecode }],
    ['a Hardhat artifact', { artifact: { _format: 'hh-sol-artifact-1', abi, bytecode } }],
    ['a Foundry artifact', { artifact: { abi, bytecode: { object: bytecode, linkReferences: {} } } }],
  ])('accepts %s, and returns the address', async (_, contract) => {
    const address = await sandbox.deploy({ ...contract, args: [usdc()] })
    const code = await client().getCode({ address })
    expect(code?.length).toBeGreaterThan(100)
    await sandbox.whitelist({ target: address })
  })

  test.each<[string, object, string]>([
    ['nothing', {}, 'bytecode'],
    ['two things', { bytecode, artifact: { abi, bytecode } }, 'bytecode'],
    ['an interface', { artifact: { abi, bytecode: '0x' } }, 'artifact.bytecode'],
    ['code that needs a library', { bytecode: `0x60__$${'ab'.repeat(17)}$__00` }, 'bytecode'],
    ['no hex', { bytecode: 'hello' }, 'bytecode'],
    ['no arguments, although the constructor has one', { abi, bytecode }, 'args'],
    ['an argument of the wrong type', { abi, bytecode, args: ['0x12'] }, 'args'],
    ['a misspelt option', { abi, bytecode, arguments: [] }, 'arguments'],
  ])('refuses %s', async (_, contract, field) => {
    await expect(sandbox.deploy(contract as never)).rejects.toMatchObject({ field }) // untyped callers can pass this
  })

  test('returns the reason of a reverted constructor', async () => {
    const abi = parseAbi(['error SoldOut(uint256 left)'])
    const error = encodeErrorResult({ abi, errorName: 'SoldOut', args: [7n] })
    // The code copies the 36 bytes after it into memory, and reverts with them.
    const bytecode = `0x6024600a5f3960245ffd${error.slice(2)}`
    await expect(sandbox.deploy({ abi, bytecode })).rejects.toMatchObject({
      name: 'DeploymentFailedError',
      message: expect.stringContaining('SoldOut'),
    })
  })
})

describe('snapshot and revert', () => {
  let start: string
  let before: { alice: unknown; block: bigint; now: number }
  const state = async () => ({
    alice: await balances(sandbox.accounts.alice.address),
    block: await client().getBlockNumber({ cacheTime: 0 }),
  })

  test('restore chains, rows and clock together, and nothing is sent again', async () => {
    const early = await prepared()
    start = await sandbox.snapshot()
    before = { ...(await state()), now: sandbox.now() }
    for (const body of [early, await prepared()]) expect(await mined(await submit(body))).toBe('success')
    await sandbox.increaseTime(86_400)
    await service.post('/sandbox/fault', { path: '/api/*', kind: 'status', status: 500 })
    expect(await client().getBlockNumber({ cacheTime: 0 })).toBeGreaterThan(before.block + 2n)

    await sandbox.revert(start)
    expect(await state()).toEqual({ alice: before.alice, block: before.block })
    expect(sandbox.now() - before.now).toBeLessThan(60_000)
    // Longer than the relayer takes to detect transactions that a chain has lost.
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    expect((await state()).block).toBe(before.block)
    // A redeem that was prepared before the snapshot is still known, and succeeds again.
    expect(await mined(await submit(early))).toBe('success')
    expect(Number((await client().getBlock()).timestamp) * 1000 - before.now).toBeLessThan(60_000)
  })

  test('a redeem prepared after the snapshot is unknown after the revert', async () => {
    const body = await prepared()
    await sandbox.revert(start)
    expect((await submit(body)).body).toMatchObject({ code: 'UNKNOWN_NONCE' })
    expect(await state()).toEqual({ alice: before.alice, block: before.block })
  })

  test('concurrent requests wait; the snapshot contains pending work completely or not at all', async () => {
    const bodies = await Promise.all([prepared(), prepared(), prepared()])
    const sent = bodies.map(submit)
    const [id] = await Promise.all([sandbox.snapshot(), ...sent])
    const later = await Promise.all([sandbox.revert(id), ...bodies.map(submit)])
    for (const answer of later.slice(1))
      expect(await mined(answer as Awaited<ReturnType<typeof submit>>)).toBe('success') // `submit` returned it.
    expect(await mined(await submit(await prepared()))).toBe('success')
  })

  test('a transaction that waits for a block is not mined on the restored chain', async () => {
    const chain = anvil(sandbox.chains.base?.rpcUrl ?? '')
    const id = await sandbox.snapshot()
    const { block } = await state()
    await chain.rpc('evm_setAutomine', [false])
    const { body } = await submit(await prepared())
    await sandbox.revert(id)
    await chain.rpc('evm_mine', [])
    await chain.rpc('evm_setAutomine', [true])
    expect(
      await client()
        .getTransactionReceipt({ hash: body.hash })
        .catch(() => 'none'),
    ).toBe('none')
    expect((await state()).block).toBe(block + 1n)
  })

  test('funds and contracts can be added again on the restored chain', async () => {
    const wallet = `0x${'5c'.repeat(20)}` as const
    const id = await sandbox.snapshot()
    for (const _ of [1, 2]) {
      await sandbox.fund({ wallet, usdcCents: 100, creditsCents: 100 })
      await sandbox.deploy({ bytecode: '0x6001600c60003960016000f300' })
      await sandbox.revert(id)
    }
    expect(await balances(wallet)).toEqual({ credits: { cents: 0 }, usdc: { cents: 0 } })
  })

  test('a revert deletes later snapshots; an unknown snapshot is reported as missing', async () => {
    const later = await sandbox.snapshot()
    await sandbox.revert(start)
    for (const id of [later, 'snapshot-0', undefined])
      await expect(sandbox.revert(id as string)).rejects.toMatchObject({ name: 'UnknownSnapshotError' }) // untyped callers can pass this
  })

  test('a snapshot that a chain has lost is reported, and the rows stay unchanged', async () => {
    const chain = anvil(sandbox.chains.base?.rpcUrl ?? '')
    const own = await chain.rpc('evm_snapshot', [])
    const id = await sandbox.snapshot()
    await chain.rpc('evm_revert', [own])
    await expect(sandbox.revert(id)).rejects.toMatchObject({ name: 'ChainSnapshotGoneError' })
    expect((await service.post(creditsAuthMsgPath, {}, customer(someone))).status).toBe(400)
    expect(await mined(await submit(await prepared()))).toBe('success')
  })
})

describe('increaseTime', () => {
  test('advances clock and chains together; a redeem succeeds', async () => {
    const seconds = async () =>
      Promise.all(
        Object.values(sandbox.chains).map(async ({ rpcUrl }) =>
          Number((await publicClient(rpcUrl).getBlock()).timestamp),
        ),
      )
    const now = sandbox.now()
    await sandbox.increaseTime(30 * 86_400)
    expect((sandbox.now() - now) / 1000).toBeGreaterThanOrEqual(30 * 86_400)
    for (const time of await seconds())
      expect(time).toBeGreaterThanOrEqual(Math.floor(now / 1000) + 30 * 86_400)
    expect(await mined(await submit(await prepared()))).toBe('success')
  })

  test('advances a chain that is ahead by the same time', async () => {
    const chain = anvil(sandbox.chains.base?.rpcUrl ?? '')
    await chain.rpc('evm_increaseTime', [7 * 86_400])
    await chain.rpc('evm_mine', [])
    const before = Number((await client().getBlock()).timestamp)
    await sandbox.increaseTime(3600)
    const moved = Number((await client().getBlock()).timestamp) - before
    expect(moved).toBeGreaterThanOrEqual(3600)
    expect(moved).toBeLessThan(3660)
    expect(await mined(await submit(await prepared()))).toBe('success')
  })

  test('a chain that was ahead of the clock is ahead again after a revert', async () => {
    const chain = anvil(sandbox.chains.base?.rpcUrl ?? '')
    const before = Number((await client().getBlock()).timestamp)
    await chain.rpc('evm_increaseTime', [7 * 86_400])
    await sandbox.revert(await sandbox.snapshot())
    await chain.rpc('evm_mine', [])
    const ahead = Number((await client().getBlock()).timestamp) - before
    expect(ahead).toBeGreaterThanOrEqual(7 * 86_400)
    expect(ahead).toBeLessThan(7 * 86_400 + 60)
  })

  test.each([-1, 0.5, Number.NaN, '60', undefined, maxAdvanceSeconds + 1])(
    '%s is refused',
    async (seconds) => {
      await expect(sandbox.increaseTime(seconds as number)).rejects.toMatchObject({ field: 'seconds' }) // untyped callers can pass this
    },
  )
})

test('a sandbox with a ledger that cannot be restored reports that', async () => {
  const other = await startSandbox({ blockchains: ['base', 'solana'], bridge: false })
  await expect(other.snapshot()).rejects.toMatchObject({
    name: 'SnapshotUnavailableError',
    message: expect.stringContaining('solana'),
  })
  await other.stop()
})
