import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { lock } from 'proper-lockfile'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { showValue } from '../../../redeemkit/core/errors/showValue.ts'

/** What a fork was told by its origin, all of it at one block. */
export type ForkRecord = {
  chainId: number
  blockNumber: bigint
  /** By `callKey`. */
  answers: Map<string, unknown>
}

/** Under which name an answer is kept: the method and its parameters. */
export function callKey(call: { method: string; params: readonly unknown[] }): string {
  return `${call.method} ${JSON.stringify(call.params)}`
}

/**
 * The file that a fork's answers are kept in: JSON, sorted, one answer a line, and nothing of the endpoint. Several processes may
 * add to it at once: each adds its own to what is there.
 */
export function recordFile(file: string): RecordFile {
  const path = resolve(file)
  const read = async () => {
    if (!existsSync(path)) return undefined
    const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
      throw new RecordFileError(`The recorded fork ${path} cannot be read (${cause.code}).`, {
        field: 'record',
        fix: 'Give a file, not a folder, that this process may read.',
        cause,
      })
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
    // Whole or not at all: others may be reading.
    await rename(half, path).catch(refuse)
  }
  function refuse(cause: NodeJS.ErrnoException): never {
    throw new RecordFileError(`The recorded fork ${path} cannot be written (${cause.code}).`, {
      field: 'record',
      fix: 'Give a file in a folder that this process may write to.',
      cause,
    })
  }
  return {
    path,
    exists: () => existsSync(path),
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
              `The recorded fork ${path} became one of chain ${chainId} at block ${blockNumber} while chain ${record.chainId} at block ${record.blockNumber} was recorded.`,
              { field: 'record', fix: 'Give each chain and block a file of its own.' },
            )
        }
        const answers = new Map([...(there?.answers ?? []), ...record.answers])
        await write({ ...record, answers })
      }),
  }
}

export type RecordFile = {
  path: string
  exists: () => boolean
  /** `undefined` when the file is not there. Throws {@link RecordFileError} when it was cut off, or is none. */
  read: () => Promise<ForkRecord | undefined>
  /** Makes the file; when it is there, returns what it says instead. Of several processes one makes it. */
  begin: (head: { chainId: number; blockNumber: bigint }) => Promise<ForkRecord>
  /** Adds answers to what is there. */
  add: (record: ForkRecord) => Promise<void>
}

export declare namespace recordFile {
  type ErrorType = RecordFileError
}

/** Whoever is killed while it writes is passed over after these seconds. */
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
    throw new RecordFileError(
      `The recorded fork ${path} is no whole JSON: it was cut off, or changed by hand.`,
      {
        field: 'record',
        fix: recordAgain,
        cause,
      },
    )
  }
  const { format: found, chainId, blockNumber, answers } = Object(parsed) as Record<string, unknown> // each is checked here
  if (found !== format)
    throw new RecordFileError(`The recorded fork ${path} has format ${showValue(found)}, not ${format}.`, {
      field: 'record',
      fix: recordAgain,
    })
  if (
    !Number.isSafeInteger(chainId) ||
    typeof blockNumber !== 'string' ||
    !/^\d+$/.test(blockNumber) ||
    Object(answers) !== answers ||
    Array.isArray(answers)
  )
    throw new RecordFileError(`The recorded fork ${path} lacks its chain id, its block or its answers.`, {
      field: 'record',
      fix: recordAgain,
    })
  return {
    chainId: Number(chainId),
    blockNumber: BigInt(blockNumber),
    answers: new Map(Object.entries(Object(answers))),
  }
}

const recordAgain =
  'Take it from version control, or delete it and run once with forkUrl, which records it anew.'

/** A file of recorded answers that cannot be used: it was cut off, is of another chain or block, or is not there. */
export class RecordFileError extends BaseError {
  override readonly name = 'RecordFileError'
}

/** A test asked for something of the forked chain that the file does not have, and there is no endpoint to ask. */
export class NotRecordedError extends BaseError {
  override readonly name = 'NotRecordedError'
}
