import { formatAmount } from '../../core/amount/formatAmount.ts'
import type { Environment } from '../../core/blockchains.ts'
import { showValue } from '../../core/errors/showValue.ts'
import type { FindingCode } from '../../core/finding/findingCatalogue.ts'
import { type AddressLike, parseAddress } from '../address/parseAddress.ts'
import { tokenAccountOf } from '../address/tokenAccountOf.ts'
import { checkOptions, invalidOption } from '../checkOptions.ts'
import type { DecodedInstruction } from '../instruction/decodeInstruction.ts'
import { judgeInstruction } from '../instruction/judgeInstruction.ts'
import { programs } from '../instruction/programs.ts'
import { networkOf, networks, usdcDecimals } from '../networks.ts'
import { checkAmount } from '../usdcTransfer/checkAmount.ts'
import { checkRent, tokenAccountRent } from '../usdcTransfer/checkRent.ts'
import type { TransactionDetails } from './transactionDetails.ts'

const roles: Record<string, string> = {
  'token transferChecked': 'transfer',
  'associatedToken createIdempotent': 'create',
  'associatedToken create': 'create',
  'memo memo': 'memo',
  'memoV1 memo': 'memo',
  'computeBudget setComputeUnitLimit': 'unitLimit',
  'computeBudget setComputeUnitPrice': 'unitPrice',
}

/**
 * Holds a decoded transaction against the USDC transfer that was asked for. What that transfer does not need is a danger.
 *
 * @param options.danger called once for each thing that is wrong
 * @returns the transfer in words
 */
export function checkUsdcTransfer(options: checkUsdcTransfer.Options): string {
  const { details, wallet, danger } = options
  const expected = checkOptions(options.expected, 'expected')
  const { paymentId, blockhash, computeUnitLimit, computeUnitPrice, maxFeeLamports = 100_000n } = expected
  const { references = [], maxRentLamports, anyMemo = false } = expected
  const { feePayer, signers, writable, instructions } = details
  const { usdcMint: mint, name: network } = networkOf(expected.environment)
  const amount = checkAmount(expected.amount)
  const from = parseAddress(expected.from, { field: 'from' })
  const to = parseAddress(expected.to, { field: 'to' })
  const source = tokenAccountOf({ owner: from, mint })
  const destination = tokenAccountOf({ owner: to, mint })
  if (paymentId !== undefined && typeof paymentId !== 'string')
    throw invalidOption('paymentId', paymentId, 'Give text, or leave it out.')
  if (!Array.isArray(references)) throw invalidOption('references', references, 'Give a list of addresses.')
  const mayBeRead = references.map((key) => parseAddress(key, { field: 'references' }))
  for (const [field, limit] of Object.entries({ maxFeeLamports, maxRentLamports }))
    if (limit !== undefined && typeof limit !== 'bigint')
      throw invalidOption(field, limit, 'Give lamports as a bigint.')
  const rent = expected.rent === undefined ? undefined : checkRent(expected.rent)
  const unexpected = (instruction: DecodedInstruction) => {
    const { code, message } = judgeInstruction(instruction, from)
    return { code: code === 'INSTRUCTION' ? 'UNEXPECTED_INSTRUCTION' : code, message }
  }
  const compare = (code: FindingCode, field: string, actual: unknown, wanted: unknown) => {
    if (actual !== wanted) danger(code, `${field} is ${actual}, not ${textOf(wanted)}.`, field)
  }

  for (const { usdcMint } of networks)
    if (usdcMint !== mint && instructions.some(({ accounts }) => accounts.mint === usdcMint))
      danger('WRONG_NETWORK', `${usdcMint} is USDC, but not on ${network}.`, 'environment')
  const sponsor =
    expected.sponsor === undefined ? undefined : parseAddress(expected.sponsor, { field: 'sponsor' })
  // Only when it was asked for in so many words.
  if (feePayer === from && sponsor !== from)
    danger('CUSTOMER_PAYS_FEE', 'The customer would pay the fee.', 'feePayer')
  if (sponsor !== undefined) compare('WRONG_SPONSOR', 'feePayer', feePayer, sponsor)
  if (wallet !== from && wallet !== feePayer)
    danger('WRONG_WALLET', `${wallet} takes no part in the payment.`, 'wallet')
  const seen = new Set<string>()
  instructions.forEach((instruction, index) => {
    const { program, name, accounts, args, extraAccounts } = instruction
    const path = `instructions[${index}]`
    const check = (code: FindingCode, field: string, actual: unknown, wanted: unknown) =>
      compare(code, `${path}.${field}`, actual, wanted)
    // What may stand here, once each. Anything else keeps a name of its own.
    const role = roles[`${program} ${name}`] ?? path
    let allowed: readonly string[] = []
    if (seen.has(role)) danger(unexpected(instruction).code, `${path} repeats ${name}.`, path)
    else if (role === 'transfer') {
      check('WRONG_MINT', 'mint', accounts.mint, mint)
      check('WRONG_DECIMALS', 'decimals', args.decimals, BigInt(usdcDecimals))
      check('WRONG_AMOUNT', 'amount', args.amount, amount)
      check('WRONG_SOURCE', 'source', accounts.source, source)
      check('WRONG_DESTINATION', 'destination', accounts.destination, destination)
      check('WRONG_OWNER', 'owner', accounts.owner, from)
      allowed = mayBeRead
      for (const key of mayBeRead)
        if (!extraAccounts.includes(key))
          danger('REFERENCE_MISSING', `Nobody will find it by reference ${key}.`, 'references')
    } else if (role === 'create') {
      if (seen.has('transfer') || (rent !== undefined && name === 'create'))
        danger('UNEXPECTED_INSTRUCTION', `${path} must come before the transfer, and be idempotent.`, path)
      check('WRONG_RENT_PAYER', 'payer', accounts.payer, feePayer)
      check('WRONG_DESTINATION', 'account', accounts.account, destination)
      check('WRONG_DESTINATION', 'owner', accounts.owner, to)
      check('WRONG_MINT', 'mint', accounts.mint, mint)
      check('UNEXPECTED_ACCOUNT', 'systemProgram', accounts.systemProgram, programs.system)
      check('UNEXPECTED_ACCOUNT', 'tokenProgram', accounts.tokenProgram, programs.token)
    } else if (role === 'memo') {
      if (anyMemo !== true || paymentId !== undefined) {
        check('WRONG_MEMO', 'memo', args.text, paymentId)
        allowed = signers
      } else if (unexpected(instruction).code === 'SIGN_IN' || !(`${args.text}`.length <= 256))
        danger(
          unexpected(instruction).code,
          `The memo nobody named is ${unexpected(instruction).message}.`,
          path,
        )
    } else if (role === 'unitLimit') {
      // As text: whatever else than a whole number was asked for is not what stands here.
      check('WRONG_COMPUTE_BUDGET', 'units', `${args.units}`, textOf(computeUnitLimit ?? args.units))
    } else if (role === 'unitPrice') {
      check(
        'WRONG_COMPUTE_BUDGET',
        'microLamports',
        args.microLamports,
        computeUnitPrice ?? args.microLamports,
      )
    } else {
      const { code, message } = unexpected(instruction)
      danger(code, `Nobody asked for ${message}.`, path)
    }
    seen.add(role)
    for (const account of extraAccounts)
      if (!allowed.includes(account))
        danger('UNEXPECTED_ACCOUNT', `${name} is given account ${account}.`, path)
  })
  if (!seen.has('transfer'))
    danger('TRANSFER_MISSING', 'No checked transfer of USDC is in it.', 'instructions')
  if (rent !== undefined && !seen.has('create'))
    danger('CREATION_MISSING', "The receiver's token account is not made sure of.", 'rent')
  const due = rent ?? tokenAccountRent
  // Who does not pay the fee pays no rent; who pays it, pays what it has said it would.
  const maxRent = maxRentLamports ?? rent ?? (wallet === feePayer ? 0n : due)
  if (seen.has('create') && due > maxRent)
    danger(
      'RENT_TOO_HIGH',
      `The receiver's token account may cost ${due} lamports, above ${maxRent}.`,
      'maxRentLamports',
    )
  if (paymentId !== undefined && !seen.has('memo'))
    danger('WRONG_MEMO', 'The payment id is not in it.', 'paymentId')
  if (computeUnitLimit !== undefined && !seen.has('unitLimit'))
    danger('WRONG_COMPUTE_BUDGET', 'The compute unit limit is not in it.', 'computeUnitLimit')
  if ((computeUnitPrice ?? 0n) !== 0n && !seen.has('unitPrice'))
    danger('WRONG_COMPUTE_BUDGET', 'The compute unit price is not in it.', 'computeUnitPrice')
  if (!signers.includes(from)) danger('SIGNER_MISSING', `${from} does not sign.`, 'signers')
  for (const signer of signers)
    if (signer !== from && signer !== feePayer) danger('EXTRA_SIGNER', `${signer} signs too.`, 'signers')
  for (const account of writable)
    if (![feePayer, source, destination].includes(account))
      danger('EXTRA_WRITABLE', `Account ${account} may be changed.`, 'accounts')
  for (const account of [source, destination])
    if (!writable.includes(account))
      danger('NOT_WRITABLE', `Account ${account} cannot be changed.`, 'accounts')
  for (const account of details.unused)
    danger('UNUSED_ACCOUNT', `Account ${account} is there for nothing.`, 'accounts')
  if (blockhash !== undefined) compare('WRONG_BLOCKHASH', 'blockhash', details.blockhash, blockhash)
  if (!(details.feeLamports <= maxFeeLamports))
    danger(
      'FEE_TOO_HIGH',
      `The fee is ${details.feeLamports} lamports, above ${maxFeeLamports}.`,
      'maxFeeLamports',
    )
  return `Pay ${formatAmount(amount, { decimals: usdcDecimals })} USDC (${network}) from ${from} to ${to}${
    paymentId === undefined ? '' : `, payment id ${JSON.stringify(paymentId)}`
  }. ${feePayer} pays the fees.`
}

export declare namespace checkUsdcTransfer {
  /** The transfer that was asked for. What is left out is not pinned; what `usdcTransfer` answers pins everything. */
  type Expected = {
    environment: Environment
    /** The customer: owner of the USDC. */
    from: AddressLike
    /** The receiving owner (not its token account). */
    to: AddressLike
    /** Raw units; 1 USDC = 1_000_000n. */
    amount: bigint
    /** Who pays fee and rent. Left out: anybody but the customer. The customer's own address: the customer, and nobody else. */
    sponsor?: AddressLike | undefined
    /** Text of the memo. Left out: no memo. */
    paymentId?: string | undefined
    /**
     * Takes one memo that nobody named, without accounts, of at most 256 characters, and no sign-in: x402's clients put a random
     * one in. Counts only without `paymentId`. Default false.
     */
    anyMemo?: boolean | undefined
    /** Read-only keys that a payment request may hang on the transfer (Solana Pay's `reference`). Each has to be on it. */
    references?: readonly AddressLike[] | undefined
    /** Known rent of the receiver's token account (`"0"` when it is there): its creation must be in it. */
    rent?: { lamports: string | number | bigint } | undefined
    blockhash?: string | undefined
    computeUnitLimit?: number | undefined
    /** Micro-lamports a unit. */
    computeUnitPrice?: bigint | undefined
    /** The highest fee, in lamports, priority fee included. Rent comes on top of it. Default 100_000n. */
    maxFeeLamports?: bigint | undefined
    /**
     * The most, in lamports, that the creation of the receiver's token account may cost the sponsor. Default: `rent`; with
     * neither, the sponsor accepts no creation, and the customer, who never pays it, any. A creation for which no rent is
     * expected (`"0"`) still costs rent if the account is gone by then: look for it before you sign as sponsor.
     */
    maxRentLamports?: bigint | undefined
  }
  type Options = {
    details: TransactionDetails
    expected: Expected
    wallet: string
    danger: (code: FindingCode, message: string, field?: string) => void
  }
}

function textOf(value: unknown): string {
  return typeof value === 'symbol' || typeof value === 'object' ? showValue(value) : `${value}`
}
