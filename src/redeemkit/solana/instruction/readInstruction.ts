import { formatBase58, readLittleEndian } from '../encoding.ts'
import type { ArgType, InstructionOf, Layout, Layouts } from './layout.ts'
import { type ProgramName, programs } from './programs.ts'
import { type AssertionReader, type AssertionType, readAssertion } from './readAssertion.ts'

/** An instruction as the message has it. */
export type RawInstruction = {
  programId: string
  /** Base58, in the instruction's order. */
  accounts: readonly string[]
  data: Uint8Array
}

/**
 * Gives names to the parts of an instruction, as far as the table has its layout. Data of another length than
 * the layout's, or too few accounts, make it `unknown`.
 */
export function readInstruction<const table extends Layouts>(
  instruction: RawInstruction,
  table: table,
): InstructionOf<table> {
  const { programId, accounts, data } = instruction
  // `Object.keys` widens the keys of the table to text.
  const program = (Object.keys(programs) as ProgramName[]).find((name) => programs[name] === programId)
  const unread = { accounts: {}, extraAccounts: [...accounts], args: {} }
  const reader = dataReader(data)
  const row = program && rowOf(program, table[program], data, reader)
  const parts = row?.[1][2] === undefined ? unread : readParts(row[1], accounts, reader)
  const [name, [, meaning]] = (parts && row) ?? (['unknown', [0, 'UNKNOWN_INSTRUCTION']] as const)
  // The name is the program's own, and the parts are those of the name's layout.
  return {
    programId,
    program: program ?? 'unknown',
    name,
    meaning,
    ...(parts ?? unread),
  } as InstructionOf<table>
}

/** The row whose number the data begins with. */
function rowOf(
  program: ProgramName,
  layouts: Readonly<Record<string, Layout>>,
  data: Uint8Array,
  reader: ReturnType<typeof dataReader>,
): [string, Layout] | undefined {
  // A memo has no number. The first release of the Associated Token Account program had one instruction,
  // without data.
  const isNumbered = !/^memo/.test(program) && (program !== 'associatedToken' || data.length > 0)
  const number = isNumbered ? Number(reader.number(program === 'system' ? 4 : 1)) : 0
  const find = (wanted: number) => Object.entries(layouts).find(([, [own]]) => own === wanted)
  return (isNumbered && find(number + 256 * (data[1] ?? 0))) || find(number)
}

function readParts(
  [, , types = {}, names = []]: Layout,
  accounts: readonly string[],
  reader: ReturnType<typeof dataReader>,
) {
  const args: Record<string, bigint | string | null> = {}
  try {
    for (const [name, type] of Object.entries(types)) args[name] = reader.arg(type)
  } catch {
    return undefined
  }
  if (!reader.isAtEnd() || accounts.length < names.length) return undefined
  return {
    accounts: Object.fromEntries(names.map((name, i) => [name, accounts[i] ?? ''])),
    extraAccounts: accounts.slice(names.length),
    args,
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads data from front to back. */
function dataReader(data: Uint8Array) {
  let at = 0
  const slice = (length: number) => {
    at += length
    return data.slice(at - length, at)
  }
  const number = (length: number) => readLittleEndian(slice(length))
  const key = () => formatBase58(slice(32))
  const optionalKey = () => {
    const tag = number(1)
    if (tag > 1n) throw new RangeError('neither 0 nor 1')
    return tag === 1n ? key() : null
  }
  const simple: Readonly<Record<string, () => string | null>> = {
    key,
    optionalKey,
    text: () => utf8.decode(slice(Number(number(8)))),
    allText: () => utf8.decode(slice(data.length - at)),
  }
  const assertionReader: AssertionReader = { number, key, optionalKey }
  return {
    number,
    arg: (type: ArgType) => {
      if (typeof type === 'number') return number(type)
      const read = simple[type]
      // Every type that is not among the simple ones is one of an assertion.
      return read === undefined ? readAssertion(assertionReader, type as AssertionType) : read()
    },
    isAtEnd: () => at === data.length,
  }
}
