import { type Finding, type Inspection, verdictOf } from '../../core/finding/finding.ts'
import type { FindingCode } from '../../core/finding/findingCatalogue.ts'
import type { InspectionKind } from '../../core/finding/inspectionKinds.ts'
import { type AddressLike, parseAddress } from '../address/parseAddress.ts'
import { checkOptions, invalidOption } from '../checkOptions.ts'
import { type DecodedInstruction, decodeInstruction } from '../instruction/decodeInstruction.ts'
import { judgeInstruction } from '../instruction/judgeInstruction.ts'
import { feeOf } from '../transaction/feeOf.ts'
import { readTransaction, type TransactionLike } from '../transaction/readTransaction.ts'
import { signatureStates } from '../transaction/signatureStates.ts'
import { checkUsdcTransfer } from './checkUsdcTransfer.ts'
import { type LookupTable, resolveAccounts } from './resolveAccounts.ts'
import type { TransactionDetails } from './transactionDetails.ts'

/**
 * Says what a transaction does, and what is wrong with it, before anybody signs.
 *
 * With `expected`, everything that the expected USDC transfer does not need is a danger: one instruction, signer or
 * written account too many, one account swapped. Without it, what costs the wallet something is a warning, and what
 * gives it away, or is not understood, is a danger.
 *
 * @returns verdict `refuse` when it must not be signed; `details` with every instruction decoded
 * @throws {@link InvalidTransactionError} {@link InvalidBase64Error} when it is no transaction at all;
 *   {@link InvalidAddressError} {@link InvalidAmountError} {@link WrongNetworkError} {@link InvalidOptionError} for a bad
 *   expectation
 * @example
 * ```ts
 * import { inspect } from 'redeemkit/solana'
 *
 * declare const transaction: string // base64, from the service
 * const { verdict, summary } = inspect({ transaction, wallet: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU' })
 * ```
 */
export function inspect(options: inspect.Options): Inspection<inspect.Details> {
  const { expected, lookupTables = [] } = checkOptions(options)
  if (!Array.isArray(lookupTables))
    throw invalidOption('lookupTables', lookupTables, 'Give a list of lookup tables.')
  const parsed = readTransaction(options.transaction)
  const wallet = parseAddress(options.wallet, { field: 'wallet' })
  const findings: Finding[] = []
  const danger = (code: FindingCode, message: string, field?: string) => {
    findings.push({ severity: 'danger', code, message, field, fix: 'Do not sign it.' })
  }

  const { accounts, writable, missing } = resolveAccounts(parsed, lookupTables)
  for (const table of missing)
    danger('UNRESOLVED_LOOKUP_TABLE', `Lookup table ${table} is not given, or too short.`, 'lookupTables')
  if (new Set(accounts).size !== accounts.length)
    danger('DUPLICATE_ACCOUNT', 'A lookup table repeats an account.', 'lookupTables')
  const nameOf = (index: number) => accounts[index] ?? ''
  const instructions = parsed.instructions.map(({ program, accounts: indexes, data }) =>
    decodeInstruction({ programId: nameOf(program), accounts: indexes.map(nameOf), data }),
  )
  const signers = parsed.keys.slice(0, parsed.signers)
  const states = signatureStates(parsed)
  signers.forEach((signer, index) => {
    if (states[index] === 'wrong')
      danger(
        'WRONG_SIGNATURE',
        `The signature of ${signer} is not its own, or of something else.`,
        'signatures',
      )
  })
  const used = new Set(parsed.instructions.flatMap(({ program, accounts: indexes }) => [program, ...indexes]))
  const details: inspect.Details = {
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
  let kind: InspectionKind = 'solanaTransaction'
  let summary: string
  if (expected === undefined) {
    const judged = instructions.map((instruction) => judgeInstruction(instruction, wallet))
    summary = `A transaction that does this: ${judged.map(({ message }) => message).join('; ')}.`
    if (details.feePayer === wallet)
      findings.push({
        severity: 'warning',
        code: 'CUSTOMER_PAYS_FEE',
        message: `The wallet pays the fee of ${details.feeLamports} lamports.`,
      })
    judged.forEach((finding, index) => {
      findings.push({ ...finding, field: `instructions[${index}]` })
    })
  } else {
    kind = 'solanaUsdcTransfer'
    summary = checkUsdcTransfer({ details, expected, wallet, danger })
  }
  return { kind, summary, verdict: verdictOf(findings), findings, details }
}

export declare namespace inspect {
  type Options = {
    /** Wire bytes, their base64 text, or a web3.js object. Signatures may be missing; those that are there must be right. */
    transaction: TransactionLike
    /** Who is asked to sign. */
    wallet: AddressLike
    /** The transfer that was asked for. Everything else is refused. */
    expected?: checkUsdcTransfer.Expected | undefined
    /** The lookup tables that the transaction names. One that is not given is refused. */
    lookupTables?: readonly LookupTable[] | undefined
  }
  type Details = TransactionDetails
}

/** The first number that an instruction of this name asks for. */
function askedFor(name: string, instructions: readonly DecodedInstruction[]): bigint | undefined {
  const value = instructions.flatMap((one) => (one.name === name ? Object.values(one.args) : []))[0]
  return typeof value === 'bigint' ? value : undefined
}
