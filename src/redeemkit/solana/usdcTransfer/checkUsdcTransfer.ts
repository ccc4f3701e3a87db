import { formatAmount } from '../../core/amount.ts'
import { showText, showValue } from '../../core/errors/showValue.ts'
import type { Finding } from '../../core/finding/finding.ts'
import type { FindingCode } from '../../core/finding/findingCatalogue.ts'
import { parseAddress } from '../address.ts'
import { checkOptions, invalidOption } from '../checkOptions.ts'
import { networks, usdcDecimals } from '../networks.ts'
import { programs } from '../transaction/programs.ts'
import {
  type DecodedInstruction,
  describeInstruction,
  isLighthouseAssertion,
  maxLighthouseAssertions,
  meaningFor,
} from '../transaction/readInstruction.ts'
import { danger, type TransactionDetails } from '../transaction/transactionDetails.ts'
import type { AnyInstruction, InstructionOf, transferLayouts } from '../transaction/transferLayouts.ts'
import {
  defaultMaxFeeLamports,
  type ExpectedTransfer,
  tokenAccountRent,
  transferTerms,
} from './transferTerms.ts'

type Instruction = InstructionOf<typeof transferLayouts> | DecodedInstruction
type Report = (code: FindingCode, message: string, field?: string) => void
type Check = {
  details: TransactionDetails<Instruction>
  terms: ReturnType<typeof expectedTerms>
  /** The account that would sign. */
  wallet: string
  report: Report
}

/** Compares a decoded transaction with the expected USDC transfer. Anything that the transfer does not need is a danger. */
export function checkUsdcTransfer(options: {
  details: TransactionDetails<Instruction>
  expected: ExpectedTransfer
  wallet: string
}): Finding[] {
  const { expected, ...given } = options
  const findings: Finding[] = []
  const report: Report = (...found) => {
    findings.push(danger(...found))
  }
  const check = { ...given, terms: expectedTerms(expected), report }
  checkPayers(check)
  const seen = checkInstructions(check)
  checkMissingParts(seen, check)
  checkAccounts(check)
  checkCosts(seen.has('createIdempotent'), check)
  return findings
}

function expectedTerms(given: ExpectedTransfer) {
  const { maxFeeLamports = defaultMaxFeeLamports, ...rest } = checkOptions(given, 'expected')
  const { paymentId, maxRentLamports, sponsor } = rest
  const terms = transferTerms(rest)
  if (paymentId !== undefined && typeof paymentId !== 'string')
    throw invalidOption('paymentId', paymentId, 'Pass text, or omit it.')
  for (const [field, limit] of Object.entries({ maxFeeLamports, maxRentLamports }))
    if (limit !== undefined && typeof limit !== 'bigint')
      throw invalidOption(field, limit, 'Pass lamports as a bigint.')
  return {
    ...rest,
    ...terms,
    maxFeeLamports,
    sponsor: sponsor === undefined ? undefined : parseAddress(sponsor, { field: 'sponsor' }),
  }
}

function checkPayers({ details: { feePayer, instructions }, terms, wallet, report }: Check): void {
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
  if (sponsor !== undefined) compare(report, 'WRONG_FEE_PAYER', 'transaction', 'feePayer', feePayer, sponsor)
  if (wallet !== from && wallet !== feePayer)
    report('WRONG_WALLET', `${wallet} is not part of the payment.`, 'wallet')
}

/** The instructions that a transfer may have, at most once each. */
const parts: readonly string[] = [
  ...['transferChecked', 'createIdempotent', 'memo', 'setComputeUnitLimit', 'setComputeUnitPrice'],
  ...['requestHeapFrame', 'setLoadedAccountsDataSizeLimit'],
]

function checkInstructions(check: Check): Set<string> {
  const { details, terms, report } = check
  const seen = new Set<string>()
  let guards = 0
  for (const [index, instruction] of details.instructions.entries()) {
    if (isLighthouseAssertion(instruction) && guards++ < maxLighthouseAssertions) continue
    const { program, name, extraAccounts } = instruction
    const path = `instructions[${index}]`
    const part = name === 'create' ? 'createIdempotent' : name
    const meaning = meaningFor(instruction, terms.from)
    const code = meaning === 'INSTRUCTION' ? 'UNEXPECTED_INSTRUCTION' : meaning
    // USDC is a token of the classic Token program.
    if (!parts.includes(part) || program === 'token2022') {
      report(code, `The payment does not need this: ${describeInstruction(instruction)}.`, path)
      continue
    }
    let allowed: readonly string[] = []
    if (seen.has(part)) report(code, `The transaction has more than one ${name} instruction.`, path)
    else allowed = checkPart(instruction, { path, seen, code }, check)
    seen.add(part)
    for (const account of extraAccounts)
      if (!allowed.includes(account))
        report('UNEXPECTED_ACCOUNT', `The ${name} instruction does not need the account ${account}.`, path)
  }
  return seen
}

/** Older libraries list the rent sysvar after the accounts of a creation (Associated Token Account 1.0). */
const rentSysvar = 'SysvarRent111111111111111111111111111111111'

/** Returns the extra accounts that the instruction may have. */
function checkPart(
  instruction: Instruction,
  { path, seen, code }: { path: string; seen: ReadonlySet<string>; code: FindingCode },
  { details: { feePayer, signers }, terms, report }: Check,
): readonly string[] {
  const { mint, destination, rent, paymentId, references } = terms
  if (instruction.program === 'token' && instruction.name === 'transferChecked') {
    compareParts(instruction, 'transfer', path, report, {
      mint: ['WRONG_MINT', mint],
      decimals: ['WRONG_DECIMALS', BigInt(usdcDecimals)],
      amount: ['WRONG_AMOUNT', terms.amount],
      source: ['WRONG_SOURCE', terms.source],
      destination: ['WRONG_DESTINATION', destination],
      owner: ['WRONG_OWNER', terms.from],
    })
    for (const key of references)
      if (!instruction.extraAccounts.includes(key))
        report('REFERENCE_MISSING', `Reference ${key} is missing.`, 'references')
    return references
  }
  switch (instruction.name) {
    case 'create':
    case 'createIdempotent': {
      if (seen.has('transferChecked') || (rent !== undefined && instruction.name === 'create'))
        report(
          'UNEXPECTED_INSTRUCTION',
          "It must create the receiver's account before the transfer, and only if it is missing.",
          path,
        )
      compareParts(instruction, 'account creation', path, report, {
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
          report('WRONG_MEMO', `The memo is ${showText(text)}, but ${wanted} was expected.`, `${path}.memo`)
        }
        return signers
      }
      if (code === 'SIGN_IN' || text.length > 256)
        report(code, `The memo reads like a sign-in, or is too long: ${showText(text)}.`, path)
      break
    }
    case 'setComputeUnitLimit': {
      const { units } = instruction.args
      // Compared as text, so that an expected amount that is not an integer never matches.
      const wanted = textOf(terms.computeUnitLimit ?? units)
      compare(report, 'WRONG_COMPUTE_BUDGET', 'compute budget', `${path}.units`, `${units}`, wanted)
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
        report(
          'WRONG_COMPUTE_BUDGET',
          `The chain rejects ${instruction.name} of ${bytes} bytes.`,
          `${path}.bytes`,
        )
      break
    }
    case 'setComputeUnitPrice': {
      const { microLamports } = instruction.args
      const wanted = terms.computeUnitPrice ?? microLamports
      compare(
        report,
        'WRONG_COMPUTE_BUDGET',
        'compute budget',
        `${path}.microLamports`,
        microLamports,
        wanted,
      )
    }
  }
  return []
}

function checkMissingParts(seen: ReadonlySet<string>, { terms, report }: Check): void {
  const { rent, paymentId, computeUnitLimit, computeUnitPrice = 0n } = terms
  const need = (part: string, field: string, code: FindingCode, what: string) => {
    if (!seen.has(part)) report(code, `${what} is missing.`, field)
  }
  need('transferChecked', 'instructions', 'TRANSFER_MISSING', 'The USDC transfer')
  if (rent !== undefined)
    need('createIdempotent', 'rent', 'CREATION_MISSING', "The creation of the receiver's token account")
  if (paymentId !== undefined) need('memo', 'paymentId', 'WRONG_MEMO', 'The memo with the payment ID')
  if (computeUnitLimit !== undefined)
    need('setComputeUnitLimit', 'computeUnitLimit', 'WRONG_COMPUTE_BUDGET', 'The compute unit limit')
  if (computeUnitPrice !== 0n)
    need('setComputeUnitPrice', 'computeUnitPrice', 'WRONG_COMPUTE_BUDGET', 'The compute unit price')
}

function checkAccounts({ details, terms: { from, source, destination }, report }: Check): void {
  const { feePayer, signers, writable, unused } = details
  if (!signers.includes(from)) report('SIGNER_MISSING', `${from} does not sign.`, 'signers')
  for (const signer of signers)
    if (signer !== from && signer !== feePayer) report('EXTRA_SIGNER', `${signer} signs too.`, 'signers')
  for (const account of writable)
    if (![feePayer, source, destination].includes(account))
      report(
        'EXTRA_WRITABLE',
        `The account ${account} is writable, but the payment must not change it.`,
        'accounts',
      )
  for (const account of [source, destination])
    if (!writable.includes(account))
      report(
        'NOT_WRITABLE',
        `The account ${account} is read-only, but the payment must change it.`,
        'accounts',
      )
  for (const account of unused)
    report('UNUSED_ACCOUNT', `The transaction does not use the account ${account}.`, 'accounts')
}

function checkCosts(isCreated: boolean, { details, terms, wallet, report }: Check): void {
  const { blockhash, rent, maxFeeLamports } = terms
  const { feePayer, feeLamports } = details
  const due = rent ?? tokenAccountRent
  // The fee payer pays the rent, up to the limit that it agreed to.
  const maxRent = terms.maxRentLamports ?? rent ?? (wallet === feePayer ? 0n : due)
  if (isCreated && due > maxRent)
    report(
      'RENT_TOO_HIGH',
      `The receiver's token account may cost ${due} lamports, more than the limit of ${maxRent}.`,
      'maxRentLamports',
    )
  if (blockhash !== undefined)
    compare(report, 'WRONG_BLOCKHASH', 'transaction', 'blockhash', details.blockhash, blockhash)
  if (!(feeLamports <= maxFeeLamports))
    report(
      'FEE_TOO_HIGH',
      `The network fee is ${feeLamports} lamports, more than the limit of ${maxFeeLamports}.`,
      'maxFeeLamports',
    )
}

/** Compares the accounts and arguments of one instruction by name. The type requires all of them, so that none is forgotten. */
function compareParts<part extends Pick<AnyInstruction, 'accounts' | 'args'>>(
  instruction: part,
  what: string,
  path: string,
  report: Report,
  wanted: { readonly [name in keyof part['accounts'] | keyof part['args']]: readonly [FindingCode, unknown] },
): void {
  const actual: Readonly<Record<string, unknown>> = { ...instruction.accounts, ...instruction.args }
  for (const [name, [code, value]] of Object.entries<readonly [FindingCode, unknown]>(wanted))
    compare(report, code, what, `${path}.${name}`, actual[name], value)
}

function compare(
  report: Report,
  code: FindingCode,
  /** The part that has the field, in words. */
  what: string,
  field: string,
  actual: unknown,
  wanted: unknown,
): void {
  const name = field.replace(/.*\./, '').replace(/[A-Z]/g, ' $&').toLowerCase()
  const text = code === 'WRONG_AMOUNT' ? amountText : textOf
  if (actual !== wanted)
    report(code, `The ${what} has the ${name} ${text(actual)}, not ${text(wanted)}.`, field)
}

function textOf(value: unknown): string {
  return typeof value === 'symbol' || typeof value === 'object' ? showValue(value) : `${value}`
}

const amountText = (value: unknown) =>
  typeof value === 'bigint' ? formatAmount(value, { decimals: usdcDecimals }) : textOf(value)
