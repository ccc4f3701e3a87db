import { claimsSignIn } from '../../core/authMessage.ts'
import { quoteText } from '../../core/errors/showValue.ts'
import type { FindingCode } from '../../core/finding/findingCatalogue.ts'
import { formatBase58, readLittleEndian } from '../encoding.ts'
import type { instructionLayouts } from './instructionLayouts.ts'
import { type AssertionReader, type AssertionType, readAssertion } from './lighthouse.ts'
import { maxTransactionLength } from './parseTransaction.ts'
import { type ProgramName, programs } from './programs.ts'
import type { AnyInstruction, ArgType, InstructionOf, Layout, Layouts } from './transferLayouts.ts'

/**
 * The maximum number of assertions that are accepted. Phantom adds three before a payment and one after it
 * (x402-foundation/x402#3318): one for each writable account. Larger transactions were seen with six and nine.
 */
export const maxLighthouseAssertions = 4

/**
 * Whether an instruction is a Lighthouse assertion, which only reads accounts and makes the transaction fail if the assertion is false.
 *
 * Account roles apply to the whole message: an assertion about the fee payer, such as Phantom's, runs with the fee payer's signature. The
 * program is still upgradeable (github.com/Jac0xb/lighthouse), so customer and fee payer trust its upgrade authority.
 */
export function isLighthouseAssertion({ program, meaning, extraAccounts }: AnyInstruction): boolean {
  return program === 'lighthouse' && meaning === 'INSTRUCTION' && extraAccounts.length === 0
}

/**
 * An instruction with named parts. `name` is `unknown` if the program is unknown, or if the data or accounts do not
 * match its layout. A `switch` on `program` and `name` narrows `accounts` and `args`.
 */
export type DecodedInstruction = InstructionOf<typeof instructionLayouts>

export function describeInstruction({
  program,
  programId,
  name,
  accounts,
  extraAccounts,
  args,
}: AnyInstruction): string {
  const parts = Object.entries({ ...args, ...accounts }).map(
    ([label, value]) =>
      `${label} ${/text|seed/i.test(label) ? quoteText(`${value}`, maxTransactionLength) : value}`,
  )
  return `${program === 'unknown' ? programId : program} ${name} (${[...parts, ...extraAccounts].join(', ')})`
}

/** Returns the finding code of an instruction that was not expected. */
export function meaningFor({ name, meaning, accounts, args }: AnyInstruction, wallet: string): FindingCode {
  // Creating an account at the wallet's address puts the wallet under the control of a program.
  if (name.startsWith('createAccount') && accounts.account === wallet) return 'AUTHORITY_CHANGE'
  if (name === 'memo' && claimsSignIn(String(args.text))) return 'SIGN_IN'
  return meaning === 'INSTRUCTION' && accounts.payer === wallet ? 'PAYS_RENT' : meaning
}

type RawInstruction = {
  programId: string
  /** Base58, in the instruction's order. */
  accounts: readonly string[]
  data: Uint8Array
}

/** The instruction is `unknown` if its data is not as long as the layout, or accounts are missing. */
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
  // `name` is a name of this program, and `parts` have the layout of that name.
  return {
    programId,
    program: program ?? 'unknown',
    name,
    meaning,
    ...(parts ?? unread),
  } as InstructionOf<table>
}

/** Finds the layout by the number at the start of the data. */
function rowOf(
  program: ProgramName,
  layouts: Readonly<Record<string, Layout>>,
  data: Uint8Array,
  reader: ReturnType<typeof dataReader>,
): [string, Layout] | undefined {
  // Memos have no instruction number. Empty data is the first instruction of the Associated Token Account program.
  const isNumbered = !/^memo/.test(program) && (program !== 'associatedToken' || data.length > 0)
  const number = isNumbered ? Number(reader.number(program === 'system' || program === 'stake' ? 4 : 1)) : 0
  const find = (wanted: number) => Object.entries(layouts).find(([, [own]]) => own === wanted)
  return (isNumbered && find(number + 256 * (data[1] ?? 0))) || find(number)
}

function readParts(
  [, , types = {}, text]: Layout,
  accounts: readonly string[],
  reader: ReturnType<typeof dataReader>,
) {
  const args: Record<string, bigint | string | null> = {}
  const names = text?.split(' ') ?? []
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

function dataReader(data: Uint8Array) {
  let at = 0
  const slice = (length: number) => {
    at += length
    return data.slice(at - length, at)
  }
  const number = (length: number) => readLittleEndian(slice(length))
  const key = () => formatBase58(slice(32))
  const isPresent = () => {
    const tag = number(1)
    if (tag > 1n) throw new RangeError('neither 0 nor 1')
    return tag === 1n
  }
  const optionalKey = () => (isPresent() ? key() : null)
  const optionalAmount = () => {
    if (isPresent()) return number(8)
    // `@solana/spl-token` writes the 8 bytes even without an amount; the program ignores them.
    if (data.length === at + 8) at += 8
    return null
  }
  const simple: Readonly<Record<string, () => bigint | string | null>> = {
    key,
    optionalKey,
    optionalAmount,
    text: () => utf8.decode(slice(Number(number(8)))),
    allText: () => utf8.decode(slice(data.length - at)),
  }
  const assertionReader: AssertionReader = { number, key, optionalKey }
  return {
    number,
    arg: (type: ArgType) => {
      if (typeof type === 'number') return number(type)
      const read = simple[type]
      // Every other type is a Lighthouse assertion.
      return read === undefined ? readAssertion(assertionReader, type as AssertionType) : read()
    },
    isAtEnd: () => at === data.length,
  }
}
