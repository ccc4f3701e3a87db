import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

export async function check({ sandbox, base, usdcOf, path }) {
  const privateKey = generatePrivateKey()
  const wallet = privateKeyToAccount(privateKey).address
  await sandbox.mintCredits({ wallet, cents: 5_000 })
  const { url: baseUrl, merchantId } = sandbox
  const { rpcUrl, chainId, pinned } = base
  const shop = sandbox.accounts.bob.address
  const file = join(mkdtempSync(join(tmpdir(), 'killed-')), 'order.json')
  const order = { baseUrl, merchantId, privateKey, rpcUrl, chainId, pinned, shop, orderId: 'order-1' }
  writeFileSync(file, JSON.stringify(order))
  const before = await usdcOf(shop)

  // The service executes the submitted redeem when no client waits for the response anymore.
  const fault = { path: '/api/*sendGaslessTx', kind: 'slow', delayMs: 3_000, executes: true, times: 1 }
  const headers = { 'content-type': 'application/json' }
  const added = await fetch(`${baseUrl}/sandbox/fault`, {
    method: 'POST',
    headers,
    body: JSON.stringify(fault),
  })
  assert.equal(added.status, 200, await added.text())
  const first = spawn(process.execPath, [path, file], { stdio: 'ignore' })
  const died = new Promise((resolve) => first.once('exit', resolve))
  const isTriggered = async () =>
    (await (await fetch(`${baseUrl}/sandbox/fault`)).json()).faults[0]?.triggered === 1
  for (let round = 0; round < 300 && !(await isTriggered()); round++) await wait(100)
  assert.ok(await isTriggered(), 'the program submitted')
  first.kill('SIGKILL')
  await died
  const shopHas = async () => (await usdcOf(shop)) - before
  for (let round = 0; round < 100 && (await shopHas()) === 0n; round++) await wait(100)
  assert.equal(await shopHas(), 10_000_000n, 'the dead process has paid')

  const second = spawn(process.execPath, [path, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  second.stdout.on('data', (text) => {
    output += text
  })
  const status = await new Promise((resolve) => second.once('exit', resolve))
  assert.match(output, /paid/)
  assert.equal(status, 0)
  await wait(3_000)
  assert.equal(await shopHas(), 10_000_000n, 'paid exactly once')
}
