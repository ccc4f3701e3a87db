import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { anvilBinary } from '../../../src/sandbox/chains/anvil/startProcess.ts'
import type { SandboxChain } from '../../../src/sandbox/index.ts'
import { processStat } from '../anvilProcess.ts'

export type BareAnvil = {
  /** Its own HTTP address. */
  rpcUrl: string
  /** CPU time so far; undefined if the system does not report it. */
  cpuMs: () => number | undefined
  stop: () => Promise<void>
}

/**
 * An Anvil process without a sandbox, with the current state of a sandbox's chain and its options. The sandbox must answer
 * `anvil_dumpState`.
 */
export async function startBareAnvil({ chainId, rpcUrl }: SandboxChain): Promise<BareAnvil> {
  const folder = await mkdtemp(join(tmpdir(), 'redeemkit-bench-'))
  const state = join(folder, 'state.json')
  await writeFile(state, gunzipSync(Buffer.from((await dump(rpcUrl)).slice(2), 'hex')))
  const options = ['--chain-id', String(chainId), '--load-state', state, '--prune-history', '128']
  const child = spawn(anvilBinary(), ['--port', '0', '--cache-path', folder, ...options], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  const ended = once(child, 'exit')
  let text = ''
  const port = () => /Listening on \S+:(\d+)/.exec(text)?.[1]
  while (port() === undefined) text += String((await once(child.stdout, 'data'))[0])
  // Drains its output, so that it never blocks.
  child.stdout.resume()
  return {
    rpcUrl: `http://127.0.0.1:${port()}`,
    cpuMs: () => (child.pid === undefined ? undefined : processStat(child.pid)?.cpuMs),
    stop: async () => {
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function dump(rpcUrl: string): Promise<string> {
  const answer = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_dumpState', params: [] }),
  })
  return (await answer.json()).result
}
