import type { FindingCode } from '../../core/finding/findingCatalogue.ts'
import type { ProgramName } from './programs.ts'
import type { AssertionType } from './readAssertion.ts'

/**
 * How an argument lies in an instruction's data: an unsigned little-endian number of so many bytes; a key; a
 * key after a byte that says whether there is one; text after its length; text to the end; what the Lighthouse
 * program asserts.
 */
export type ArgType = 1 | 4 | 8 | 'key' | 'optionalKey' | 'text' | 'allText' | AssertionType

/**
 * An instruction: the number with which its data begins (the second byte counts 256, where it matters); what
 * it means to a wallet that did not ask for it; its arguments and its accounts, both in order. Without these
 * two they are not read.
 */
export type Layout =
  | readonly [number: number, meaning: FindingCode]
  | readonly [
      number: number,
      meaning: FindingCode,
      args: Readonly<Record<string, ArgType>>,
      accounts: readonly string[],
    ]

/** Layouts by program and name. */
export type Layouts = { readonly [program in ProgramName]: Readonly<Record<string, Layout>> }

type ArgValue<type> = type extends number ? bigint : type extends 'optionalKey' ? string | null : string

type Named<program, name, accounts, args> = {
  /** Base58. */
  programId: string
  program: program
  name: name
  /** What it means to a wallet that did not ask for it. */
  meaning: FindingCode
  /** The accounts by the names that the program gives them. */
  accounts: accounts
  /** Accounts beyond those that the program names: further signers, or what a transfer hook asks for. */
  extraAccounts: string[]
  /** Numbers as `bigint`, keys as base58, text as text; `null` for a key that is left out. */
  args: args
}

/** Nothing is known of its parts: all accounts are `extraAccounts`. */
type Unread<program, name> = Named<
  program,
  name,
  Readonly<Record<string, string>>,
  Readonly<Record<string, bigint | string | null>>
>

type Read<program, name, layout> = layout extends readonly [
  number,
  FindingCode,
  infer args,
  infer accounts extends readonly string[],
]
  ? Named<
      program,
      name,
      { [account in accounts[number]]: string },
      { -readonly [arg in keyof args]: ArgValue<args[arg]> }
    >
  : Unread<program, name>

/**
 * An instruction with names to its parts, as far as a table of layouts goes. Compare `program` and `name` to
 * have the names of `accounts` and `args`.
 */
export type InstructionOf<table extends Layouts> =
  | {
      [program in ProgramName]:
        | {
            [name in keyof table[program] & string]: Read<program, name, table[program][name]>
          }[keyof table[program] & string]
        | Unread<program, 'unknown'>
    }[ProgramName]
  | Unread<'unknown', 'unknown'>

/** An instruction, whatever table it was read with. */
export type AnyInstruction = Unread<ProgramName | 'unknown', string>
