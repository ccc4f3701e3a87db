import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { privateKeyToAccount } from 'viem/accounts'
import { exitCodes, type LogLine, runAgent } from './agent.ts'
import { fileStorage } from './fileStorage.ts'
import { readPayments, readSettings } from './settings.ts'

// AGENT_KEY=0x… node main.ts --settings agent.json --folder state [--json] < payments.jsonl
// The key is read from the environment only, and removed from it immediately. For the exit codes, see agent.ts.

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

try {
  const { values } = parseArgs({
    options: {
      settings: { type: 'string', default: 'agent.json' },
      folder: { type: 'string', default: 'state' },
      payments: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  })
  const account = takeKey()
  const settings = await readSettings(values.settings)
  const asked =
    values.payments === undefined ? await text(process.stdin) : await readFile(values.payments, 'utf8')
  const payments = readPayments(asked)
  process.exitCode = await runAgent(
    {
      settings,
      account,
      storage: await fileStorage(values.folder),
      log: logOf(values.json),
      signal: stop.signal,
    },
    payments,
  )
} catch (error) {
  console.error(error instanceof Error ? `${error.name}: ${error.message}` : String(error))
  process.exitCode = exitCodes.unusable
}

/** Errors never show the key. */
function takeKey(): ReturnType<typeof privateKeyToAccount> {
  const key = process.env.AGENT_KEY
  delete process.env.AGENT_KEY
  if (key === undefined || !/^0x[0-9a-fA-F]{64}$/.test(key))
    throw new Error('Set AGENT_KEY in the environment to a private key: 0x and 64 hex digits.')
  return privateKeyToAccount(key as `0x${string}`) // checked above
}

/** As text or, with --json, as JSON. */
function logOf(json: boolean): (line: LogLine) => void {
  return ({ id, step, text }) => {
    const time = new Date().toISOString()
    const texts = text.replaceAll(/\s+/g, ' ')
    console.log(
      json
        ? JSON.stringify({ time, id, step, text: texts })
        : `${time}  ${id.padEnd(18)}  ${step.padEnd(11)}  ${texts}`,
    )
  }
}
