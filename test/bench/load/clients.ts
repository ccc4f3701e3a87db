// A separate process that posts prepared bodies. Each client waits for a response before its next request.
import { Agent, request } from 'node:http'
import { performance } from 'node:perf_hooks'
import type { Load, LoadResult } from './runLoad.ts'

process.on('message', async (load: Load) => {
  try {
    process.send?.({ result: await run(load) })
  } catch (error) {
    process.send?.({ error: String(error) })
  }
})

async function run({ url, headers, bodies, clients, mined }: Load): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const latencies: number[] = []
  const started = performance.now()
  const before = process.cpuUsage()
  let next = 0
  const client = async () => {
    while (next < bodies.length) {
      const at = next++
      const sent = performance.now()
      const answer = await post(agent, url, { body: bodies[at] ?? '', headers: headers[at] ?? {} })
      if (answer.status !== 200 || answer.text.includes('"error"'))
        throw new Error(`${answer.status} ${answer.text.slice(0, 300)}`)
      latencies.push(performance.now() - sent)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  for (const body = JSON.stringify(logsOf(mined)); ; await new Promise((done) => setTimeout(done, 5))) {
    const { text } = await post(agent, mined.rpcUrl, { body, headers: {} })
    if (JSON.parse(text).result.length >= mined.count) break
  }
  const elapsedMs = performance.now() - started
  agent.destroy()
  const { user, system } = process.cpuUsage(before)
  return { elapsedMs, latencies, cpuMs: (user + system) / 1_000 }
}

const logsOf = ({ address, topic, fromBlock }: Load['mined']) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'eth_getLogs',
  params: [{ address, topics: [topic], fromBlock }],
})

function post(
  agent: Agent,
  url: string,
  { body, headers }: { body: string; headers: Record<string, string> },
): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      {
        method: 'POST',
        agent,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          ...headers,
        },
      },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () =>
          resolve({ status: answer.statusCode, text: Buffer.concat(chunks).toString('utf8') }),
        )
        answer.on('error', reject)
      },
    )
    asked.on('error', reject)
    asked.end(body)
  })
}
