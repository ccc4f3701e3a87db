import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { RunningSandbox } from '@redeemkit/sandbox'
import { formatUsd } from 'redeemkit'
import { createPublicClient, erc20Abi, http } from 'viem'
import { baseOf, besideSandbox, type Start } from '../run/besideSandbox.ts'
import type { Payment, Settings } from './settings.ts'

/**
 * The agent is killed during a payment and started again. It then resumes that payment, and makes each payment within its limits exactly
 * once.
 */
export const start: Start = ({ say }) =>
  besideSandbox({ say }, async (sandbox) => {
    const folder = await mkdtemp(join(tmpdir(), 'redeemkit-agent-'))
    try {
      await writeFile(join(folder, 'agent.json'), JSON.stringify(settingsOf(sandbox), null, 2))
      await writeFile(
        join(folder, 'payments.jsonl'),
        paymentsOf(sandbox)
          .map((one) => JSON.stringify(one))
          .join('\n'),
      )
      const paidBefore = await usdcOfBob(sandbox)
      say('')
      say('The agent starts, and is killed once its first payment is submitted:')
      const killed = await runMain(sandbox, { folder, say, killAt: 'submitted' })
      say('')
      say(`It was ended by ${killed}. The agent starts again, with the same payments:`)
      const code = await runMain(sandbox, { folder, say })
      const paid = (await usdcOfBob(sandbox)) - paidBefore
      return {
        // The third payment exceeds the limit of the day.
        succeeded: code === 1 && paid === 15_500_000n,
        howTo: `
It ended with exit code ${code}: the agent refused the payment above its limits.
Bob received ${formatUsd(paid)} on chain: the first two payments, once each.`,
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

function usdcOfBob(sandbox: RunningSandbox): Promise<bigint> {
  const { rpcUrl, usdc } = baseOf(sandbox)
  return createPublicClient({ transport: http(rpcUrl) }).readContract({
    address: usdc,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [sandbox.accounts.bob.address],
  })
}

function settingsOf(sandbox: RunningSandbox): Settings {
  const base = baseOf(sandbox)
  const { creditsContract, domainName, creditSeed } = base.pinned
  return {
    baseUrl: sandbox.url,
    merchantId: sandbox.merchantId,
    blockchain: 'base',
    environment: 'sandbox',
    rpcUrl: base.rpcUrl,
    pinned: { creditsContract, domainName, creditSeed, maxGasFeeCents: 50 },
    limits: { paymentCents: 1000, dayCents: 2000, receivers: [sandbox.accounts.bob.address] },
  }
}

function paymentsOf({ accounts }: RunningSandbox): Payment[] {
  const to = accounts.bob.address
  return [
    { id: 'translation-17', to, cents: 900 },
    { id: 'hosting-november', to, cents: 650, usdcCents: 300 },
    { id: 'printing', to, cents: 800 },
  ]
}

/** Runs the agent in its own process. `killAt` kills it, like a power failure, when it first logs this step. */
async function runMain(
  { accounts }: RunningSandbox,
  options: { folder: string; say: (text: string) => void; killAt?: string },
): Promise<number | NodeJS.Signals | null> {
  const { folder, say, killAt } = options
  const file = (name: string) => join(folder, name)
  const args = [
    '--settings',
    file('agent.json'),
    '--payments',
    file('payments.jsonl'),
    '--folder',
    file('state'),
  ]
  const main = fileURLToPath(new URL('main.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', main, ...args], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { ...process.env, AGENT_KEY: accounts.alice.privateKey },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      say(line)
      if (killAt !== undefined && line.includes(`  ${killAt}`)) child.kill('SIGKILL')
    }
  } finally {
    child.kill('SIGKILL')
  }
  const [code, signal]: [number | null, NodeJS.Signals | null] = await ended.then(([one, other]) => [
    one,
    other,
  ])
  return code ?? signal
}
