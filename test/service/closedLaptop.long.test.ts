import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { creditsAbi } from '../../contracts/generated/Credits.ts'
import { orderKeyOf } from '../../src/redeemkit/evm/index.ts'
import type { SendGaslessTxBody } from '../../src/redeemkit/schema/index.ts'
import { anvil, caller, customer, overHttp, sendGaslessTxPath, signedBody } from './sandboxClient.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'redeemkit-laptop-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

const script = `import { startSandbox } from '${new URL('../../src/sandbox/index.ts', import.meta.url)}'
  const { url, merchantId, chains, accounts } = await startSandbox({ dataDir: process.argv[1], bridge: false })
  const { rpcUrl, creditsContract } = chains.base
  console.log(JSON.stringify({ url, merchantId, rpcUrl, creditsContract, key: accounts.alice.privateKey, shop: accounts.bob.address }))`

/** Runs the whole sandbox as a separate process. */
async function start() {
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const said = JSON.parse(line)
  return { child, ...said, service: caller(overHttp(said.url)) }
}

/** Suspends service and chain at the same moment, so that neither notices that the other is gone. */
async function closeLaptop(child: ChildProcess): Promise<void> {
  const folder = join(dataDir, 'chains')
  const pidFiles = (await readdir(folder)).filter((file) => file.endsWith('.pid'))
  const pids = await Promise.all(
    pidFiles.map(async (file) => Number(await readFile(join(folder, file), 'utf8'))),
  )
  const gone = once(child, 'exit')
  for (const pid of [...pids, Number(child.pid)]) {
    // An empty file would give 0, which is the process group of this test.
    if (!(pid > 0)) throw new Error(`${pid} is not the id of a process.`)
    process.kill(pid, 'SIGKILL')
  }
  await gone
}

test('service and chain are killed together: every redeem that got a 200 is on chain once, or reported as lost', async () => {
  const first = await start()
  const alice = privateKeyToAccount(first.key)
  const bodies: SendGaslessTxBody[] = []
  for (let one = 0; one < 12; one++)
    bodies.push(
      await signedBody(first.service, {
        request: {
          merchantId: first.merchantId,
          subtotal: { cents: 100 + one },
          transactionData: { type: 'token', destination: first.shop },
        },
        key: alice,
      }),
    )
  const submit = (service: typeof first.service, body: SendGaslessTxBody) =>
    service.post(sendGaslessTxPath, body, customer(alice.address))
  const answered: SendGaslessTxBody[] = []
  const submits = bodies.map(async (body) => {
    const sent = await submit(first.service, body).catch(() => undefined)
    if (sent?.status === 200) answered.push(body)
  })
  await expect.poll(() => answered.length, { timeout: 30_000, interval: 1 }).toBeGreaterThanOrEqual(6)
  await closeLaptop(first.child)
  await Promise.all(submits)

  const second = await start()
  try {
    const chain = anvil(second.rpcUrl)
    const stateOf = async ({ nonce }: SendGaslessTxBody): Promise<number> => {
      const [state] = await chain.client.readContract({
        address: second.creditsContract,
        abi: creditsAbi,
        functionName: 'orderState',
        args: [alice.address, orderKeyOf(nonce)],
      })
      return state
    }
    for (const body of answered) {
      const outcome = async () => {
        if ((await stateOf(body)) === 1) return 'on the chain'
        const { status } = await submit(second.service, body)
        return status === 200 ? 'a hash that is on no chain' : `reported as lost: ${status}`
      }
      await expect
        .poll(outcome, { timeout: 20_000, interval: 200 })
        .toMatch(/^(on the chain|reported as lost)/)
    }
    const redeemed = await chain.client.getContractEvents({
      address: second.creditsContract,
      abi: creditsAbi,
      eventName: 'Redeemed',
      args: { customerWallet: alice.address },
      fromBlock: 0n,
    })
    const nonces = redeemed.map(({ args }) => args.nonce)
    expect(new Set(nonces).size).toBe(nonces.length)
    // The permits are valid for half an hour, so no redeem may be lost.
    expect(nonces).toEqual(expect.arrayContaining(answered.map(({ nonce }) => nonce)))
  } finally {
    second.child.kill('SIGKILL')
  }
}, 120_000)
