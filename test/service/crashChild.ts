// A service process for the crash tests: it kills itself at the given step, without cleaning up.
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { serve } from '@hono/node-server'
import { createSandbox, startSandbox } from '../../src/sandbox/index.ts'

// All modules are loaded by now, and the task arrives as one line.
const [line] = await once(createInterface({ input: process.stdin }), 'line')
const { crashAt, crashOn, whole, ...options } = JSON.parse(line)
// Bytes arrive as a list of numbers.
if (options.solana !== undefined) options.solana.sponsorKey = Uint8Array.from(options.solana.sponsorKey)
// An amount arrives as a string.
for (const chain of options.chains ?? [])
  if (chain.nativePriceCents !== undefined) chain.nativePriceCents = BigInt(chain.nativePriceCents)
const probe: createSandbox.Options['probe'] = (step, { reference }) => {
  if (step === crashAt && (crashOn === undefined || reference.kind === crashOn))
    process.kill(process.pid, 'SIGKILL')
}
if (whole) {
  const { url, chains, apiKey, accounts } = await startSandbox({ ...options, probe })
  process.stdout.write(`${JSON.stringify({ url, chains, apiKey, key: accounts.alice.privateKey })}\n`)
} else {
  const sandbox = createSandbox({ ...options, probe })
  await sandbox.start()
  serve({ fetch: sandbox.app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
    process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`)
  })
}
