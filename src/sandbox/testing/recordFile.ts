import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { lock } from 'proper-lockfile'
import { BaseError } from '../../redeemkit/core/errors/baseError.ts'
import { showValue } from '../../redeemkit/core/errors/showValue.ts'

export type ForkRecord = {
  chainId: number
  blockNumber: bigint
  /** Responses, by the key that `callKey` returns. */
  answers: Map<string, unknown>
}

export function callKey(call: { method: string; params: readonly unknown[] }): string {
  return `${call.method} ${JSON.stringify(call.params)}`
}

/** Sorted JSON with one response per line, without the endpoint's URL. Several processes can add responses concurrently. */
export function recordFile(file: string): RecordFile {
  const path = resolve(file)
  const read = async () => {
    if (!existsSync(path)) return undefined
    const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
      const fix = 'Pass a readable file, not a folder.'
      throw new RecordFileError(path, `cannot be read (${cause.code})`, { fix, cause })
    })
    return parseRecord(text, path)
  }
  const alone = async <result>(work: () => Promise<result>): Promise<result> => {
    await mkdir(dirname(path), { recursive: true }).catch(refuse)
    const release = await lock(path, lockOptions).catch(refuse)
    try {
      return await work()
    } finally {
      await release()
    }
  }
  const write = async (record: ForkRecord) => {
    const half = `${path}.${process.pid}.half`
    await writeFile(half, formatRecord(record)).catch(refuse)
    // Renaming is atomic; other processes may be reading the file.
    await rename(half, path).catch(refuse)
  }
  function refuse(cause: NodeJS.ErrnoException): never {
    const fix = 'Pass a file in a writable folder.'
    throw new RecordFileError(path, `cannot be written (${cause.code})`, { fix, cause })
  }
  return {
    path,
    read,
    begin: (head) =>
      alone(async () => {
        const there = await read()
        if (there !== undefined) return there
        const record = { ...head, answers: new Map<string, unknown>() }
        await write(record)
        return record
      }),
    add: (record) =>
      alone(async () => {
        const there = await read()
        if (there !== undefined) {
          const { chainId, blockNumber } = there
          if (chainId !== record.chainId || blockNumber !== record.blockNumber)
            throw new RecordFileError(
              path,
              `contains block ${blockNumber} of chain ${chainId}, but this run recorded block ${record.blockNumber} of chain ${record.chainId}`,
              { fix: 'Use a separate file for each chain and block.' },
            )
        }
        const answers = new Map([...(there?.answers ?? []), ...record.answers])
        await write({ ...record, answers })
      }),
  }
}

export type RecordFile = {
  path: string
  /** Reads the file; `undefined` if it does not exist. Throws {@link RecordFileError} if it is truncated or invalid. */
  read: () => Promise<ForkRecord | undefined>
  /** Creates the file, or returns the existing record. If several processes call this, only one creates the file. */
  begin: (head: { chainId: number; blockNumber: bigint }) => Promise<ForkRecord>
  add: (record: ForkRecord) => Promise<void>
}

/** The lock of a process that was killed expires after this time. */
const lockOptions = {
  realpath: false,
  stale: 5_000,
  retries: { retries: 200, minTimeout: 20, maxTimeout: 100, factor: 1.1 },
}

const format = 1

function formatRecord({ chainId, blockNumber, answers }: ForkRecord): string {
  const lines = [...answers]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, answer]) => `    ${JSON.stringify(key)}: ${JSON.stringify(answer)}`)
  const inside = lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n  }`
  return `{\n  "format": ${format},\n  "chainId": ${chainId},\n  "blockNumber": "${blockNumber}",\n  "answers": ${inside}\n}\n`
}

function parseRecord(text: string, path: string): ForkRecord {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (cause) {
    throw new RecordFileError(path, 'is not valid JSON', { cause })
  }
  const { format: found, chainId, blockNumber, answers } = Object(parsed) as Record<string, unknown>
  if (found !== format) throw new RecordFileError(path, `has format ${showValue(found)}, not ${format}`)
  if (
    !Number.isSafeInteger(chainId) ||
    typeof blockNumber !== 'string' ||
    !/^\d+$/.test(blockNumber) ||
    Object(answers) !== answers ||
    Array.isArray(answers)
  )
    throw new RecordFileError(path, 'lacks its chain id, block or responses')
  return {
    chainId: Number(chainId),
    blockNumber: BigInt(blockNumber),
    answers: new Map(Object.entries(Object(answers))),
  }
}

/** The record file is truncated or missing, or belongs to another chain or block. */
export class RecordFileError extends BaseError {
  override readonly name = 'RecordFileError'

  /** @param what the file's problem, such as "is not valid JSON" */
  constructor(
    path: string | undefined,
    what: string,
    options: { field?: string; fix?: string; cause?: unknown } = {},
  ) {
    const fix = 'Restore it from version control, or delete it and run once with forkUrl.'
    super(`The record file ${path} ${what}.`, { field: 'record', fix, ...options })
  }
}

/** A test needs data of the forked chain that is not recorded, and there is no endpoint to fetch it from. */
export class NotRecordedError extends BaseError {
  override readonly name = 'NotRecordedError'
}
