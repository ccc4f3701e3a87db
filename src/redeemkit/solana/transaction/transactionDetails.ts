import type { InvalidAddressError, InvalidOptionError } from '../../core/errors/inputErrors.ts'
import type { Finding } from '../../core/finding/finding.ts'
import type { FindingCode } from '../../core/finding/findingCatalogue.ts'
import { type AddressLike, parseAddress } from '../address.ts'
import { invalidOption } from '../checkOptions.ts'
import { signatureStates } from './isSignedBy.ts'
import { feeOf, isWritable, type ParsedTransaction } from './parseTransaction.ts'
import { type DecodedInstruction, readInstruction } from './readInstruction.ts'
import type { AnyInstruction, InstructionOf, Layouts } from './transferLayouts.ts'

/** A transaction, decoded. */
export type TransactionDetails<instruction = DecodedInstruction> = {
  version: 'legacy' | 0 | 1
  feePayer: string
  /** Maximum fee: 5000 lamports per signature and the priority fee. Rent is not included. */
  feeLamports: bigint
  signers: string[]
  missingSignatures: string[]
  writable: string[]
  /** Accounts that no instruction uses. */
  unused: string[]
  blockhash: string
  instructions: instruction[]
}

/**
 * Resolves the accounts, and decodes the instructions that the layout table covers. `findings` lists the problems that any transaction can
 * have: unresolved accounts, wrong signatures.
 */
export function readTransactionDetails<const table extends Layouts>(
  parsed: ParsedTransaction,
  options: { layouts: table; lookupTables: readonly LookupTable[] | undefined },
): { details: TransactionDetails<InstructionOf<table>>; findings: Finding[] } {
  const { layouts, lookupTables = [] } = options
  if (!Array.isArray(lookupTables))
    throw invalidOption('lookupTables', lookupTables, 'Pass a list of lookup tables.')
  const { accounts, writable, missing } = resolveAccounts(parsed, lookupTables)
  const findings = missing.map((lookupTable) =>
    danger(
      'UNRESOLVED_LOOKUP_TABLE',
      `The lookup table ${lookupTable} is unknown or too short.`,
      'lookupTables',
    ),
  )
  if (new Set(accounts).size !== accounts.length)
    findings.push(danger('DUPLICATE_ACCOUNT', 'A lookup table repeats an account.', 'lookupTables'))
  const signers = parsed.keys.slice(0, parsed.signers)
  const states = signatureStates(parsed)
  signers.forEach((signer, index) => {
    if (states[index] === 'wrong')
      findings.push(danger('WRONG_SIGNATURE', `The signature of ${signer} is invalid.`, 'signatures'))
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

/** Returns the number in the first instruction with this name. */
function askedFor(
  name: 'setComputeUnitLimit' | 'setComputeUnitPrice',
  instructions: readonly AnyInstruction[],
): bigint | undefined {
  const [value] = Object.values(instructions.find((instruction) => instruction.name === name)?.args ?? {})
  return typeof value === 'bigint' ? value : undefined
}

/** A lookup table as web3.js gives it (`AddressLookupTableAccount`). */
export type LookupTable = { key: AddressLike; state: { addresses: readonly AddressLike[] } }

/**
 * Lists all accounts in index order: the message's own, then the writable and then the read-only accounts of its lookup tables. `missing`
 * names the tables that were not passed or are too short. Their accounts are `?…`, which is not an address.
 */
function resolveAccounts(
  parsed: ParsedTransaction,
  lookupTables: readonly LookupTable[],
): { accounts: string[]; writable: string[]; missing: string[] } {
  const missing = new Set<string>()
  const load = (pick: 'writable' | 'readonly') =>
    parsed.lookups.flatMap(({ table, ...indexes }) => {
      const found = lookupTables.find(({ key }) => parseAddress(key, { field: 'lookupTables' }) === table)
      return indexes[pick].map((index) => {
        const address = found?.state?.addresses?.[index]
        if (address !== undefined) return parseAddress(address, { field: 'lookupTables' })
        missing.add(table)
        return `?${index} of ${table}`
      })
    })
  const { keys } = parsed
  const loaded = load('writable')
  return {
    accounts: [...keys, ...loaded, ...load('readonly')],
    writable: [...keys.filter((_, index) => isWritable(parsed, index)), ...loaded],
    missing: [...missing],
  }
}

export function danger(code: FindingCode, message: string, field?: string): Finding {
  return { severity: 'danger', code, message, field, fix: 'Do not sign it.' }
}
