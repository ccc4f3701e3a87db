import { messages, type PGlite, protocol, type QueryOptions, type Results } from '@electric-sql/pglite'
import { keyedLock } from '../process/keyedLock.ts'

/**
 * Runs PGlite for drizzle at a third of the CPU time: a statement is parsed once and then sent with its values in one message
 * instead of five. A transaction starts with its first statement.
 *
 * Plans are made per execution, so a plan made for a small table is not kept.
 *
 * All access must go through the result: PGlite's own lock is not used.
 */
export function pipelinePglite(client: PGlite): PipelinedPglite {
  const lock = keyedLock()
  const oneAtATime = <result>(work: () => Promise<result>) => lock('database', work)
  const known = new Map<string, Statement>()
  let numbers = 0
  let isSet = false

  return {
    query: ((text, values, options) =>
      oneAtATime(() => run({ text, values, options, before: [], syncToFs: true }))) as PGlite['query'], // the caller names the row type
    transaction: (work) => oneAtATime(() => inTransaction(work)),
    close: () => oneAtATime(() => client.close()),
  }

  async function inTransaction<result>(work: (inside: Inside) => Promise<result>): Promise<result> {
    let hasBegun = false
    let hasEnded = false
    const oneByOne = keyedLock()
    const query = (text: string, values?: unknown[], options?: QueryOptions) =>
      oneByOne('transaction', () => {
        if (hasEnded) throw new Error('The database transaction has ended.')
        const before = hasBegun ? [] : [begin]
        hasBegun = true
        return run({ text, values, options, before, syncToFs: false })
      })
    try {
      const result = await work({ query } as Inside) // drizzle uses nothing else
      hasEnded = true
      if (hasBegun) readAnswer(await send([commit], true))
      return result
    } catch (error) {
      hasEnded = true
      if (hasBegun) await send([rollback], true)
      throw error
    }
  }

  async function run(asked: Asked): Promise<Results> {
    const { text, values = [], options, syncToFs } = asked
    const { before, statement } = await prepare(asked)
    const bound = values.map((value, index) => {
      if (value === null || value === undefined) return null
      const serialize = client.serializers[statement.types[index] ?? 0]
      return serialize === undefined ? String(value) : serialize(value)
    })
    const parts = [
      ...before,
      serialize.bind({ statement: statement.name, values: bound }),
      serialize.execute({}),
      serialize.sync(),
    ]
    // A schema change may change the columns of a statement.
    if (!isKept(text)) {
      known.clear()
      parts.push(serialize.query('deallocate all'))
    }
    return toResults(readAnswer(await send(parts, syncToFs)), {
      fields: statement.fields,
      asArrays: options?.rowMode === 'array',
      parserOf: (type) => options?.parsers?.[type] ?? client.parsers[type],
    })
  }

  /** @returns messages to send before it, unless it is prepared already */
  async function prepare({
    text,
    before,
  }: Asked): Promise<{ before: readonly Uint8Array[]; statement: Statement }> {
    const found = known.get(text)
    if (found !== undefined) {
      known.delete(text)
      known.set(text, found)
      return { before, statement: found }
    }
    const [oldest] = known.size < mostKept ? [] : known
    const forget = oldest === undefined ? [] : [serialize.close({ type: 'S', name: oldest[1].name })]
    if (oldest !== undefined) known.delete(oldest[0])
    const first = isSet ? [] : [serialize.query('set plan_cache_mode = force_custom_plan')]
    isSet = true
    const name = isKept(text) ? `kept ${numbers++}` : ''
    const parse = [serialize.parse({ name, text }), serialize.describe({ type: 'S', name }), serialize.sync()]
    const answer = readAnswer(await send([...first, ...before, ...forget, ...parse], false))
    const statement = { name, types: answer.types, fields: answer.fields }
    if (name !== '') known.set(text, statement)
    return { before: [], statement }
  }

  async function send(parts: readonly Uint8Array[], syncToFs: boolean): Promise<Uint8Array> {
    if (client.closed) throw new Error('PGlite is closed')
    const chunks: Uint8Array[] = []
    // Not `execProtocolRaw`, which also parses each answer and keeps it. The chunk is PGlite's own memory, valid only during
    // the callback.
    const onRawData = (chunk: Uint8Array) => chunks.push(chunk.slice())
    await client.execProtocolRawStream(Buffer.concat(parts), { syncToFs, onRawData })
    const [only] = chunks
    return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)
  }
}

export type PipelinedPglite = Pick<PGlite, 'query'> & {
  transaction: <result>(work: (inside: Inside) => Promise<result>) => Promise<result>
  close: () => Promise<void>
}

/** The part of a transaction that drizzle uses. */
type Inside = Pick<PGlite, 'query'>

type Statement = { name: string; types: readonly number[]; fields: readonly Field[] }

type Field = { name: string; dataTypeID: number }

type Asked = {
  text: string
  values: unknown[] | undefined
  options: QueryOptions | undefined
  /** Messages to send first. */
  before: readonly Uint8Array[]
  /** After a statement outside a transaction. */
  syncToFs: boolean
}

const { serialize } = protocol

const begin = serialize.query('begin')
const commit = serialize.query('commit')
const rollback = serialize.query('rollback')

/** Statements vary by their number of rows. */
const mostKept = 300

const isKept = (text: string) =>
  text.length < 20_000 && /^\s*(?:select|insert|update|delete|with)\b/i.test(text)

type Answer = { types: number[]; fields: Field[]; rows: (string | null)[][]; affectedRows: number }

/** Reads the messages of an answer (PostgreSQL's frontend/backend protocol 3.0); throws if it contains an error. */
function readAnswer(bytes: Uint8Array): Answer {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const answer: Answer = { types: [], fields: [], rows: [], affectedRows: 0 }
  for (let at = 0; at < data.length; ) {
    const kind = data[at]
    const body = at + 5
    at += 1 + data.readUInt32BE(at + 1)
    if (kind === codes.dataRow) answer.rows.push(readRow(data, body))
    else if (kind === codes.commandComplete)
      answer.affectedRows += affectedBy(data.toString('latin1', body, at - 1))
    else if (kind === codes.rowDescription) answer.fields = readFields(data, body)
    else if (kind === codes.parameterDescription)
      for (let place = body + 2; place < at; place += 4) answer.types.push(data.readUInt32BE(place))
    else if (kind === codes.error) throw readError(bytes)
  }
  return answer
}

const codes = {
  dataRow: 'D'.charCodeAt(0),
  commandComplete: 'C'.charCodeAt(0),
  rowDescription: 'T'.charCodeAt(0),
  parameterDescription: 't'.charCodeAt(0),
  error: 'E'.charCodeAt(0),
}

function readRow(data: Buffer, from: number): (string | null)[] {
  const count = data.readUInt16BE(from)
  const row: (string | null)[] = new Array(count)
  let at = from + 2
  for (let index = 0; index < count; index++) {
    const length = data.readInt32BE(at)
    at += 4
    row[index] = length < 0 ? null : data.toString('utf8', at, at + length)
    if (length > 0) at += length
  }
  return row
}

function readFields(data: Buffer, from: number): Field[] {
  const fields: Field[] = []
  let at = from + 2
  for (let left = data.readUInt16BE(from); left > 0; left--) {
    const end = data.indexOf(0, at)
    // After the name: table (4 bytes), column (2), type (4), size (2), modifier (4), format (2).
    fields.push({ name: data.toString('utf8', at, end), dataTypeID: data.readUInt32BE(end + 7) })
    at = end + 19
  }
  return fields
}

/** `INSERT 0 3`, `UPDATE 3`. */
function affectedBy(tag: string): number {
  return /^(?:INSERT|UPDATE|DELETE|MERGE) /.test(tag) ? Number(tag.slice(tag.lastIndexOf(' ') + 1)) : 0
}

function readError(bytes: Uint8Array): Error {
  let found: Error | undefined
  const copy = new Uint8Array(bytes).buffer
  new protocol.Parser().parse(copy, (message) => {
    if (message instanceof messages.DatabaseError) found ??= message
  })
  return found ?? new Error('The database returned an error without a message.')
}

function toResults(
  { rows, affectedRows }: Answer,
  options: {
    fields: readonly Field[]
    asArrays: boolean
    parserOf: (type: number) => ((text: string, type: number) => unknown) | undefined
  },
): Results {
  const { fields, asArrays, parserOf } = options
  const readers = fields.map(({ dataTypeID }) => {
    const parse = parserOf(dataTypeID)
    return (text: string | null | undefined) =>
      text === null || text === undefined ? null : parse === undefined ? text : parse(text, dataTypeID)
  })
  const read = (row: (string | null)[]) =>
    asArrays
      ? readers.map((reader, index) => reader(row[index]))
      : Object.fromEntries(fields.map(({ name }, index) => [name, readers[index]?.(row[index])]))
  return {
    rows: rows.map((row) => read(row) as Results['rows'][number]), // objects or arrays, by `rowMode`
    fields: [...fields],
    affectedRows,
  }
}
