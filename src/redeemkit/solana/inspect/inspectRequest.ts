import { claimsSignIn } from '../../core/authMessage.ts'
import type { Environment } from '../../core/blockchains.ts'
import { type Clock, type InvalidClockError, unixSeconds } from '../../core/clock.ts'
import type { InvalidAddressError, InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { type Finding, finding, notCompared } from '../../core/finding/finding.ts'
import { createInspection } from '../../core/inspection/createInspection.ts'
import { type Effect, effect, effectLines, effectTitle } from '../../core/inspection/effect.ts'
import type { Inspection } from '../../core/inspection/inspection.ts'
import { judgeText, signInLines, signInSentence } from '../../core/inspection/judgeText.ts'
import { addressValue, line } from '../../core/inspection/values.ts'
import { type AddressLike, parseAddress } from '../address.ts'
import { impossibleBlockhash } from '../authMessage/parseAuthMessage.ts'
import { checkOptions } from '../checkOptions.ts'
import type { InvalidBase58Error } from '../encoding.ts'
import { networkOf } from '../networks.ts'
import { instructionLayouts } from '../transaction/instructionLayouts.ts'
import { readAnyVersion } from '../transaction/parseAnyVersion.ts'
import { feeOf, type ParsedTransaction, type TransactionLike } from '../transaction/parseTransaction.ts'
import {
  type LookupTable,
  readTransactionDetails,
  type TransactionDetails,
} from '../transaction/transactionDetails.ts'
import { inspectUsdcTransfer } from '../usdcTransfer/assertUsdcTransfer.ts'
import type { ExpectedTransfer } from '../usdcTransfer/transferTerms.ts'
import { describeEffect } from './describeEffect.ts'
import { type Place, solValue } from './instructionValues.ts'

/** Works like `inspect`, but throws if the request cannot be read or an option is invalid. */
export function inspectRequest(options: inspectRequest.Options): Inspection<inspectRequest.Details> {
  const { expected, ...asked } = checkOptions(options)
  if (expected === undefined) return inspectTransaction(asked)
  const { transaction, wallet, lookupTables, known = {} } = asked
  return inspectUsdcTransfer({
    transaction,
    wallet,
    expected,
    lookupTables,
    describe: (parsed, details) =>
      effectsOf(parsed, details, { wallet: parseAddress(wallet, { field: 'wallet' }), known }),
  })
}

export declare namespace inspectRequest {
  type Options = {
    /** Wire bytes, their base64 text, or a web3.js object. Signatures may be missing; present ones must be valid. */
    transaction: TransactionLike
    /** The account that would sign. */
    wallet: AddressLike
    /** The expected transfer. Everything else is refused. */
    expected?: ExpectedTransfer | undefined
    /** The lookup tables that the transaction names. Accounts in a table that is not passed cannot be shown. */
    lookupTables?: readonly LookupTable[] | undefined
    /** Names of addresses that the wallet or its user knows, keyed by address. */
    known?: Readonly<Record<string, string>> | undefined
    /** The network that a sign-in must be for. */
    environment?: Environment | undefined
    /** Origin of the requesting page, as the browser reports it. A sign-in is compared with it. */
    origin?: string | undefined
    /** Milliseconds since 1970. Default `Date.now`. */
    now?: Clock | undefined
  }
  type Details = TransactionDetails
  type ErrorType =
    | inspectUsdcTransfer.ErrorType
    | InvalidOptionError
    | networkOf.ErrorType
    | InvalidAddressError
    | InvalidClockError
    | InvalidBase58Error
}

type TransactionOptions = Omit<inspectRequest.Options, 'expected'>

function inspectTransaction(options: TransactionOptions): Inspection<TransactionDetails> {
  const parsed = readAnyVersion(options.transaction)
  const read = readTransactionDetails(parsed, {
    layouts: instructionLayouts,
    lookupTables: options.lookupTables,
  })
  const { details } = read
  details.feeLamports = totalFee(parsed, details)
  const wallet = parseAddress(options.wallet, { field: 'wallet' })
  const { feePayer, feeLamports } = details
  const effects = effectsOf(parsed, details, { wallet, known: options.known ?? {} })
  const signIn = readSignInMemo(details, wallet, options)
  if (signIn !== undefined) effects[signIn.index] = signIn.effect
  const others = [...read.findings.map(withoutComparison), ...feeFindings(details, wallet)]
  const findings = [
    ...others,
    ...effects.flatMap((one, index) =>
      one.findings.map((found) => ({ ...found, field: `instructions[${index}]` })),
    ),
    notCompared,
  ]
  const { title, lines } = effectTitle(effects, others)
  return createInspection({
    kind: signIn?.isAlone === true ? 'signIn' : 'solanaTransaction',
    title,
    lines: [
      ...lines,
      ...effectLines(effects),
      line('account', addressValue(wallet)),
      line('feePayer', addressValue(feePayer)),
      line('fee', solValue(feeLamports)),
    ],
    findings,
    moves: effects.flatMap(({ moves }) => moves),
    grants: effects.flatMap(({ grants }) => grants),
    details,
  })
}

/** Programs that verify signatures. The first byte of their data is the number of signatures; each costs as much as a signer's. */
const verifiers = /^(?:Ed25519SigVerify|KeccakSecp256k|Secp256r1SigVerify)1+$/

/** Adds the costs of features that a USDC transfer does not use. */
function totalFee(
  { priorityFee, signers, instructions: raw }: ParsedTransaction,
  { feeLamports, instructions }: TransactionDetails,
): bigint {
  const verified = instructions.reduce(
    (sum, { programId }, index) => sum + (verifiers.test(programId) ? (raw[index]?.data[0] ?? 0) : 0),
    0,
  )
  const cost = (signatures: number) => feeOf({ signatures, units: 0, microLamports: 0n })
  // A message with its own priority fee ignores instructions that set a priority fee.
  return (priorityFee === undefined ? feeLamports : priorityFee + cost(signers)) + cost(verified)
}

function effectsOf(
  parsed: ParsedTransaction,
  { instructions }: TransactionDetails,
  whose: Pick<Place, 'wallet' | 'known'>,
): Effect[] {
  const data = parsed.instructions.map((instruction) => instruction.data)
  return instructions.map((instruction, index) =>
    describeEffect(instruction, data[index] ?? new Uint8Array(), { ...whose, instructions, data }),
  )
}

/** Without an expectation, missing lookup tables are only a warning, because they hide only their accounts. */
const withoutComparison = (found: Finding): Finding =>
  found.code === 'UNRESOLVED_LOOKUP_TABLE'
    ? finding('warning', found.code, 'Some accounts of the transaction are in an unknown lookup table.', {
        field: found.field,
        fix: 'Pass the lookup tables that the transaction names.',
      })
    : found

/** 1 SOL: more than any honest fee. */
const mostFee = 1_000_000_000n

function feeFindings({ feePayer, feeLamports }: TransactionDetails, wallet: string): Finding[] {
  if (feePayer !== wallet) return []
  if (feeLamports > mostFee)
    return [
      finding('danger', 'FEE_TOO_HIGH', 'The network fee is more than 1 SOL.', {
        field: 'feeLamports',
        fix: 'Do not sign it.',
      }),
    ]
  return [
    finding('warning', 'CUSTOMER_PAYS_FEE', 'Your account pays the network fee.', { field: 'feePayer' }),
  ]
}

/**
 * Reads a sign-in by memo, for wallets that cannot sign text. A sign-in by memo has no effect if it is the only instruction and
 * the blockhash is all zeros.
 */
function readSignInMemo(
  { instructions, blockhash }: TransactionDetails,
  address: string,
  { environment, origin, now }: TransactionOptions,
): { index: number; isAlone: boolean; effect: Effect } | undefined {
  const index = instructions.findIndex((one) => one.name === 'memo' && claimsSignIn(one.args.text))
  const memo = instructions[index]
  if (memo?.name !== 'memo') return undefined
  const networks = environment === undefined ? undefined : networkOf(environment).chainIds
  const { signIn, findings } = judgeText(memo.args.text, {
    blockchain: 'Solana',
    address,
    networks,
    origin,
    now,
    // Without an expectation, the verdict is `caution` anyway.
    isStrict: true,
  })
  const isAlone = instructions.every(({ program }, at) => at === index || program === 'computeBudget')
  const isImpossible = blockhash === impossibleBlockhash
  // Without an origin, sign-in is allowed only in a transaction that has no other effect.
  if (signIn === undefined || (origin === undefined && !(isAlone && isImpossible))) return undefined
  const said = signInSentence(isAlone && isImpossible ? 'signIn.challenge' : 'signIn', signIn)
  return {
    index,
    isAlone,
    effect: effect(said, { lines: signInLines(signIn, unixSeconds(now)), findings, weight: 3 }),
  }
}
