import { showText } from '../../core/errors/showText.ts'
import { showValue } from '../../core/errors/showValue.ts'
import type { Finding } from '../../core/finding/finding.ts'
import type { FindingCode } from '../../core/finding/findingCatalogue.ts'
import { parseAddress } from '../address.ts'
import { checkOptions, invalidOption } from '../checkOptions.ts'
import { programs } from '../instruction/programs.ts'
import type { DecodedInstruction } from '../instruction/readInstruction.ts'
import {
  describeInstruction,
  isLighthouseAssertion,
  maxLighthouseAssertions,
  meaningFor,
} from '../instruction/readInstruction.ts'
import type { AnyInstruction, InstructionOf, transferLayouts } from '../instruction/transferLayouts.ts'
import { networks, usdcDecimals } from '../networks.ts'
import type { TransactionDetails } from '../transaction/transactionDetails.ts'
import { danger } from '../transaction/transactionDetails.ts'
import type { ExpectedTransfer } from './expectedTransfer.ts'
import { defaultMaxFeeLamports, tokenAccountRent } from './expectedTransfer.ts'
import { transferTerms } from './transferInstructions.ts'

/** An instruction, decoded with the layouts of a transfer or with all layouts. */
type Instruction = InstructionOf<typeof transferLayouts> | DecodedInstruction
type Details = TransactionDetails<Instruction>
type Terms = ReturnType<typeof expectedTerms>
type Report = (code: FindingCode, message: string, field?: string) => void
/** The instructions that a transfer may have, at most once each. */
type Part = 'transfer' | 'creation' | 'memo' | 'unitLimit' | 'unitPrice' | 'heapFrame' | 'dataSizeLimit'

/**
 * Compares a decoded transaction with the expected USDC transfer. Anything that the transfer does not need is a danger.
 *
 * @param options.wallet the account that would sign
 * @returns one danger for each difference
 */
export function checkUsdcTransfer(options: {
  details: Details
  expected: ExpectedTransfer
  wallet: string
}): Finding[] {
  const { details, wallet } = options
  const findings: Finding[] = []
  const report: Report = (...found) => {
    findings.push(danger(...found))
  }
  const terms = expectedTerms(options.expected)
  checkPayers(details, terms, wallet, report)
  const parts = checkInstructions(details, terms, report)
  checkMissingParts(parts, terms, report)
  checkAccounts(details, terms, report)
  checkCosts(
    details,
    terms,
    report,
    !parts.has('creation') ? 'none' : wallet === details.feePayer ? 'own' : 'other',
  )
  return findings
}

/** Validates the expected transfer. Omitted fields stay `undefined`. */
function expectedTerms(given: ExpectedTransfer) {
  const {
    paymentId,
    maxFeeLamports = defaultMaxFeeLamports,
    maxRentLamports,
    sponsor,
    ...rest
  } = checkOptions(given, 'expected')
  const terms = transferTerms(rest)
  if (paymentId !== undefined && typeof paymentId !== 'string')
    throw invalidOption('paymentId', paymentId, 'Pass text, or omit it.')
  for (const [field, limit] of Object.entries({ maxFeeLamports, maxRentLamports }))
    if (limit !== undefined && typeof limit !== 'bigint')
      throw invalidOption(field, limit, 'Pass lamports as a bigint.')
  return {
    ...rest,
    ...terms,
    paymentId,
    maxFeeLamports,
    maxRentLamports,
    sponsor: sponsor === undefined ? undefined : parseAddress(sponsor, { field: 'sponsor' }),
  }
}

function checkPayers(
  { feePayer, instructions }: Details,
  terms: Terms,
  wallet: string,
  report: Report,
): void {
  const { from, sponsor, mint, network } = terms
  for (const { usdcMint } of networks)
    if (
      usdcMint !== mint &&
      instructions.some(({ accounts, extraAccounts }) =>
        [...Object.values(accounts), ...extraAccounts].includes(usdcMint),
      )
    )
      report('WRONG_NETWORK', `${usdcMint} is USDC, but not on ${network.name}.`, 'environment')
  // Allowed only if the caller's `sponsor` is the customer.
  if (feePayer === from && sponsor !== from)
    report('CUSTOMER_PAYS_FEE', 'The customer would pay the fee.', 'feePayer')
  if (sponsor !== undefined) compare(report, 'WRONG_FEE_PAYER', 'feePayer', feePayer, sponsor)
  if (wallet !== from && wallet !== feePayer)
    report('WRONG_WALLET', `${wallet} is not part of the payment.`, 'wallet')
}

function partOf({ program, name }: Instruction): Part | undefined {
  switch (name) {
    case 'transferChecked':
      return program === 'token' ? 'transfer' : undefined
    case 'create':
    case 'createIdempotent':
      return 'creation'
    case 'memo':
      return 'memo'
    case 'setComputeUnitLimit':
      return 'unitLimit'
    case 'setComputeUnitPrice':
      return 'unitPrice'
    case 'requestHeapFrame':
      return 'heapFrame'
    case 'setLoadedAccountsDataSizeLimit':
      return 'dataSizeLimit'
  }
  return undefined
}

function checkInstructions(details: Details, terms: Terms, report: Report): Set<Part> {
  const seen = new Set<Part>()
  let guards = 0
  for (const [index, instruction] of details.instructions.entries()) {
    const path = `instructions[${index}]`
    if (isLighthouseAssertion(instruction) && guards++ < maxLighthouseAssertions) continue
    const part = partOf(instruction)
    const meaning = meaningFor(instruction, terms.from)
    const code = meaning === 'INSTRUCTION' ? 'UNEXPECTED_INSTRUCTION' : meaning
    if (part === undefined) {
      report(code, `Unexpected: ${describeInstruction(instruction)}.`, path)
      continue
    }
    let allowed: readonly string[] = []
    if (seen.has(part)) report(code, `${path} repeats ${instruction.name}.`, path)
    else allowed = checkPart(instruction, details, terms, { path, seen, code }, report)
    seen.add(part)
    for (const account of instruction.extraAccounts)
      if (!allowed.includes(account))
        report('UNEXPECTED_ACCOUNT', `${instruction.name} has the extra account ${account}.`, path)
  }
  return seen
}

/** Older libraries list the rent sysvar after the accounts of a creation (Associated Token Account 1.0). */
const rentSysvar = 'SysvarRent111111111111111111111111111111111'

/** Compares one instruction of the transfer. Returns the extra accounts that it may have. */
function checkPart(
  instruction: Instruction,
  { feePayer, signers }: Details,
  terms: Terms,
  at: { path: string; seen: ReadonlySet<Part>; code: FindingCode },
  report: Report,
): readonly string[] {
  const { path, seen, code } = at
  const { mint, destination, rent, paymentId, computeUnitLimit, computeUnitPrice } = terms
  if (instruction.program === 'token' && instruction.name === 'transferChecked') {
    compareParts(instruction, path, report, {
      mint: ['WRONG_MINT', mint],
      decimals: ['WRONG_DECIMALS', BigInt(usdcDecimals)],
      amount: ['WRONG_AMOUNT', terms.amount],
      source: ['WRONG_SOURCE', terms.source],
      destination: ['WRONG_DESTINATION', destination],
      owner: ['WRONG_OWNER', terms.from],
    })
    for (const key of terms.references)
      if (!instruction.extraAccounts.includes(key))
        report('REFERENCE_MISSING', `Reference ${key} is missing.`, 'references')
    return terms.references
  }
  switch (instruction.name) {
    case 'create':
    case 'createIdempotent': {
      if (seen.has('transfer') || (rent !== undefined && instruction.name === 'create'))
        report('UNEXPECTED_INSTRUCTION', `${path} must come before the transfer, and be idempotent.`, path)
      compareParts(instruction, path, report, {
        payer: ['WRONG_RENT_PAYER', feePayer],
        account: ['WRONG_DESTINATION', destination],
        owner: ['WRONG_DESTINATION', terms.to],
        mint: ['WRONG_MINT', mint],
        systemProgram: ['UNEXPECTED_ACCOUNT', programs.system],
        tokenProgram: ['UNEXPECTED_ACCOUNT', programs.token],
      })
      return [rentSysvar]
    }
    case 'memo': {
      const { text } = instruction.args
      if (terms.anyMemo !== true || paymentId !== undefined) {
        if (text !== paymentId) {
          const wanted = paymentId === undefined ? 'none' : showText(paymentId)
          report('WRONG_MEMO', `${path}.memo is ${showText(text)}, not ${wanted}.`, `${path}.memo`)
        }
        return signers
      }
      if (code === 'SIGN_IN' || text.length > 256)
        report(code, `The memo is ${describeInstruction(instruction)}.`, path)
      break
    }
    case 'setComputeUnitLimit': {
      const { units } = instruction.args
      // Compared as text, so that an expected amount that is not an integer never matches.
      const wanted = textOf(computeUnitLimit ?? units)
      compare(report, 'WRONG_COMPUTE_BUDGET', `${path}.units`, `${units}`, wanted)
      break
    }
    case 'requestHeapFrame':
    case 'setLoadedAccountsDataSizeLimit': {
      // These instructions cost nothing and do not affect the transfer. The chain rejects other values.
      const { bytes } = instruction.args
      if (
        instruction.name === 'requestHeapFrame'
          ? bytes % 1024n !== 0n || bytes < 32_768n || bytes > 262_144n
          : bytes < 1n
      )
        report('WRONG_COMPUTE_BUDGET', `${path}.bytes is ${bytes}.`, `${path}.bytes`)
      break
    }
    case 'setComputeUnitPrice': {
      const { microLamports } = instruction.args
      compareParts(instruction, path, report, {
        microLamports: ['WRONG_COMPUTE_BUDGET', computeUnitPrice ?? microLamports],
      })
    }
  }
  return []
}

function checkMissingParts(seen: ReadonlySet<Part>, terms: Terms, report: Report): void {
  const { rent, paymentId, computeUnitLimit, computeUnitPrice = 0n } = terms
  const needs: readonly (readonly [Part, isAsked: boolean, FindingCode, what: string, field: string])[] = [
    ['transfer', true, 'TRANSFER_MISSING', 'A checked transfer of USDC', 'instructions'],
    [
      'creation',
      rent !== undefined,
      'CREATION_MISSING',
      "The creation of the receiver's token account",
      'rent',
    ],
    ['memo', paymentId !== undefined, 'WRONG_MEMO', 'The payment id', 'paymentId'],
    [
      'unitLimit',
      computeUnitLimit !== undefined,
      'WRONG_COMPUTE_BUDGET',
      'The compute unit limit',
      'computeUnitLimit',
    ],
    [
      'unitPrice',
      computeUnitPrice !== 0n,
      'WRONG_COMPUTE_BUDGET',
      'The compute unit price',
      'computeUnitPrice',
    ],
  ]
  for (const [part, isAsked, code, what, field] of needs)
    if (isAsked && !seen.has(part)) report(code, `${what} is missing.`, field)
}

function checkAccounts(details: Details, { from, source, destination }: Terms, report: Report): void {
  const { feePayer, signers, writable, unused } = details
  if (!signers.includes(from)) report('SIGNER_MISSING', `${from} does not sign.`, 'signers')
  for (const signer of signers)
    if (signer !== from && signer !== feePayer) report('EXTRA_SIGNER', `${signer} signs too.`, 'signers')
  for (const account of writable)
    if (![feePayer, source, destination].includes(account))
      report('EXTRA_WRITABLE', `Account ${account} is writable.`, 'accounts')
  for (const account of [source, destination])
    if (!writable.includes(account)) report('NOT_WRITABLE', `Account ${account} is not writable.`, 'accounts')
  for (const account of unused) report('UNUSED_ACCOUNT', `Account ${account} is not used.`, 'accounts')
}

function checkCosts(
  details: Details,
  terms: Terms,
  report: Report,
  creation: 'none' | 'own' | 'other',
): void {
  const { blockhash, rent, maxFeeLamports } = terms
  const due = rent ?? tokenAccountRent
  // The fee payer pays the rent, up to the limit that it agreed to.
  const maxRent = terms.maxRentLamports ?? rent ?? (creation === 'own' ? 0n : due)
  if (creation !== 'none' && due > maxRent)
    report(
      'RENT_TOO_HIGH',
      `The receiver's token account may cost ${due} lamports, above ${maxRent}.`,
      'maxRentLamports',
    )
  if (blockhash !== undefined) compare(report, 'WRONG_BLOCKHASH', 'blockhash', details.blockhash, blockhash)
  if (!(details.feeLamports <= maxFeeLamports))
    report(
      'FEE_TOO_HIGH',
      `The fee is ${details.feeLamports} lamports, above ${maxFeeLamports}.`,
      'maxFeeLamports',
    )
}

/** Compares the accounts and arguments of one instruction by name. The type requires all of them, so that none is forgotten. */
function compareParts<part extends Pick<AnyInstruction, 'accounts' | 'args'>>(
  instruction: part,
  path: string,
  report: Report,
  wanted: { readonly [name in keyof part['accounts'] | keyof part['args']]: readonly [FindingCode, unknown] },
): void {
  const actual: Readonly<Record<string, unknown>> = { ...instruction.accounts, ...instruction.args }
  for (const [name, [code, value]] of Object.entries<readonly [FindingCode, unknown]>(wanted))
    compare(report, code, `${path}.${name}`, actual[name], value)
}

function compare(report: Report, code: FindingCode, field: string, actual: unknown, wanted: unknown): void {
  if (actual !== wanted) report(code, `${field} is ${actual}, not ${textOf(wanted)}.`, field)
}

function textOf(value: unknown): string {
  return typeof value === 'symbol' || typeof value === 'object' ? showValue(value) : `${value}`
}
