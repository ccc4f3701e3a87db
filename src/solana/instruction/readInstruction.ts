import { formatBase58 } from '../encoding/formatBase58.ts'
import { instructionNames, transferWithFee } from './instructionNames.ts'
import type { InstructionOf, Layout, Layouts } from './layout.ts'
import { type ProgramName, programs } from './programs.ts'

/** An instruction as the message has it. */
export type RawInstruction = {
  programId: string
  /** Base58, in the instruction's order. */
  accounts: readonly string[]
  data: Uint8Array
}

/**
 * Gives names to the parts of an instruction, as far as the table has its layout; without one it has its own name only. Data of
 * another length than the layout's, or too few accounts, make it `unknown`.
 */
export function readInstruction<const table extends Layouts>(
  instruction: RawInstruction,
  table: table,
): InstructionOf<table> {
  const { programId, accounts, data } = instruction
  // `Object.keys` widens the keys of the table to text.
  const program = (Object.keys(programs) as ProgramName[]).find((name) => programs[name] === programId)
  const named = (name: string, parts: Parts = { accounts: {}, extraAccounts: [...accounts], args: {} }) =>
    // The name is the program's own, and the parts are those of the name's layout.
    ({ programId, program: program ?? 'unknown', name, ...parts }) as InstructionOf<table>
  if (program === undefined) return named('unknown')
  // A memo has no number. The first release of the Associated Token Account program had one instruction, without data.
  const isNumbered =
    !(program === 'memo' || program === 'memoV1') && (program !== 'associatedToken' || data.length > 0)
  const reader = dataReader(data)
  const index = isNumbered ? Number(reader.number(program === 'system' ? 4 : 1)) : 0
  const names: readonly string[] = instructionNames[program]
  const isTransferWithFee = program === 'token2022' && index === 26 && data[1] === 1
  const name = isTransferWithFee ? transferWithFee : names[index]
  if (name === undefined) return named('unknown')
  // Every program's names are looked up in the same way, which the type of one program's names does not allow.
  const layout = (table[program] as Readonly<Record<string, Layout>> | undefined)?.[name]
  if (layout === undefined) return named(name)
  const parts = readParts(layout, accounts, reader)
  return parts === undefined ? named('unknown') : named(name, parts)
}

type Parts = {
  accounts: Record<string, string>
  extraAccounts: string[]
  args: Record<string, bigint | string | null>
}

function readParts(
  [types, names]: Layout,
  accounts: readonly string[],
  reader: ReturnType<typeof dataReader>,
): Parts | undefined {
  const args: Parts['args'] = {}
  try {
    for (const [name, type] of Object.entries(types))
      args[name] = reader[typeof type === 'number' ? 'number' : type](Number(type))
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

/** Reads data from front to back, one method for each type of argument. */
function dataReader(data: Uint8Array) {
  let at = 0
  const slice = (length: number) => {
    at += length
    return data.slice(at - length, at)
  }
  const number = (length: number) =>
    slice(length).reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n)
  const key = () => formatBase58(slice(32))
  return {
    number,
    key,
    optionalKey: () => {
      const tag = number(1)
      if (tag > 1n) throw new RangeError('neither 0 nor 1')
      return tag === 1n ? key() : null
    },
    text: () => utf8.decode(slice(Number(number(8)))),
    allText: () => utf8.decode(slice(data.length - at)),
    isAtEnd: () => at === data.length,
  }
}
