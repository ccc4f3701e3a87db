import type { InvalidAddressError, InvalidOptionError } from '../../core/errors/inputErrors.ts'
import type { Finding } from '../../core/finding/finding.ts'
import { invalidOption } from '../checkOptions.ts'
import type { AnyInstruction, InstructionOf, Layouts } from '../instruction/layout.ts'
import { readInstruction } from '../instruction/readInstruction.ts'
import { feeOf } from '../transaction/feeOf.ts'
import type { ParsedTransaction } from '../transaction/parseTransaction.ts'
import { signatureStates } from '../transaction/signatureStates.ts'
import { danger } from './danger.ts'
import { type LookupTable, resolveAccounts } from './resolveAccounts.ts'
import type { TransactionDetails } from './transactionDetails.ts'

/**
 * Gives names to the parts of a transaction, its instructions as far as the table of layouts goes.
 *
 * @returns `findings` names what is wrong with it whatever it is for: accounts that are not known, signatures
 *   that are not right
 * @throws InvalidOptionError, InvalidAddressError for lookup tables that are none
 */
export function readTransactionDetails<const table extends Layouts>(
  parsed: ParsedTransaction,
  options: { layouts: table; lookupTables: readonly LookupTable[] | undefined },
): { details: TransactionDetails<InstructionOf<table>>; findings: Finding[] } {
  const { layouts, lookupTables = [] } = options
  if (!Array.isArray(lookupTables))
    throw invalidOption('lookupTables', lookupTables, 'Give a list of lookup tables.')
  const { accounts, writable, missing } = resolveAccounts(parsed, lookupTables)
  const findings = missing.map((lookupTable) =>
    danger(
      'UNRESOLVED_LOOKUP_TABLE',
      `Lookup table ${lookupTable} is not given, or too short.`,
      'lookupTables',
    ),
  )
  if (new Set(accounts).size !== accounts.length)
    findings.push(danger('DUPLICATE_ACCOUNT', 'A lookup table repeats an account.', 'lookupTables'))
  const signers = parsed.keys.slice(0, parsed.signers)
  const states = signatureStates(parsed)
  signers.forEach((signer, index) => {
    if (states[index] === 'wrong')
      findings.push(
        danger(
          'WRONG_SIGNATURE',
          `The signature of ${signer} is not its own, or of something else.`,
          'signatures',
        ),
      )
  })
  const nameOf = (index: number) => accounts[index] ?? ''
  const instructions = parsed.instructions.map(({ program, accounts: indexes, data }) =>
    readInstruction({ programId: nameOf(program), accounts: indexes.map(nameOf), data }, layouts),
  )
  const used = new Set(parsed.instructions.flatMap(({ program, accounts: indexes }) => [program, ...indexes]))
  const details = {
    version: parsed.version,
    feePayer: nameOf(0),
    feeLamports: feeOf({
      signatures: parsed.signers,
      units: askedFor('setComputeUnitLimit', instructions) ?? 200_000 * instructions.length,
      microLamports: askedFor('setComputeUnitPrice', instructions) ?? 0n,
    }),
    signers,
    missingSignatures: signers.filter((_, index) => states[index] === 'missing'),
    writable,
    unused: accounts.filter((_, index) => index > 0 && !used.has(index)),
    blockhash: parsed.blockhash,
    instructions,
  }
  return { details, findings }
}

export declare namespace readTransactionDetails {
  type ErrorType = InvalidOptionError | InvalidAddressError
}

/** The number that the first instruction of this name asks for. */
function askedFor(
  name: 'setComputeUnitLimit' | 'setComputeUnitPrice',
  instructions: readonly AnyInstruction[],
): bigint | undefined {
  const [value] = Object.values(instructions.find((instruction) => instruction.name === name)?.args ?? {})
  return typeof value === 'bigint' ? value : undefined
}
