import type { InstructionName } from './instructionNames.ts'
import type { ProgramName } from './programs.ts'

/**
 * How an argument lies in an instruction's data: an unsigned little-endian number of so many bytes; a key; a key after a byte
 * that says whether there is one; text after its length; text to the end.
 */
export type ArgType = 1 | 4 | 8 | 'key' | 'optionalKey' | 'text' | 'allText'

/** What an instruction's data holds after its number, and the accounts it is given, both in order. */
export type Layout = readonly [args: Readonly<Record<string, ArgType>>, accounts: readonly string[]]

/** Layouts by program and name. */
export type Layouts = {
  readonly [program in ProgramName]?: { readonly [name in InstructionName<program>]?: Layout }
}

type ArgValue<type> = type extends number ? bigint : type extends 'optionalKey' ? string | null : string

type WithLayout<program, name, layout> = layout extends readonly [
  infer args,
  infer accounts extends readonly string[],
]
  ? {
      /** Base58. */
      programId: string
      program: program
      name: name
      /** The accounts by the names that the program gives them. */
      accounts: { [account in accounts[number]]: string }
      /** Accounts beyond those that the program names: further signers, or what a transfer hook asks for. */
      extraAccounts: string[]
      /** Numbers as `bigint`, keys as base58, text as text; `null` for a key that is left out. */
      args: { -readonly [arg in keyof args]: ArgValue<args[arg]> }
    }
  : never

type WithoutLayout<program, name> = {
  /** Base58. */
  programId: string
  program: program
  name: name
  /** Empty: which is which is not known. */
  accounts: Readonly<Record<string, string>>
  extraAccounts: string[]
  args: Readonly<Record<string, bigint | string | null>>
}

/**
 * An instruction with names to its parts, as far as a table of layouts goes. `switch` on `program` and `name` to have the names of
 * `accounts` and `args`.
 */
export type InstructionOf<table extends Layouts> =
  | {
      [program in ProgramName]:
        | {
            [name in InstructionName<program>]: program extends keyof table
              ? name extends keyof table[program]
                ? WithLayout<program, name, table[program][name]>
                : never
              : never
          }[InstructionName<program>]
        | WithoutLayout<
            program,
            | 'unknown'
            | Exclude<InstructionName<program>, program extends keyof table ? keyof table[program] : never>
          >
    }[ProgramName]
  | WithoutLayout<'unknown', 'unknown'>
