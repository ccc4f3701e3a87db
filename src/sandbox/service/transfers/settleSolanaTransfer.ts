import type { Environment } from '../../../redeemkit/core/blockchains.ts'
import type { Clock } from '../../../redeemkit/core/clock.ts'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { tokenAccountOf } from '../../../redeemkit/solana/address.ts'
import { formatBase58 } from '../../../redeemkit/solana/encoding.ts'
import { inspectRequest } from '../../../redeemkit/solana/inspect/inspectRequest.ts'
import { networkOf } from '../../../redeemkit/solana/networks.ts'
import {
  type ParsedTransaction,
  readTransaction,
} from '../../../redeemkit/solana/transaction/parseTransaction.ts'
import { programs } from '../../../redeemkit/solana/transaction/programs.ts'
import { MissingTokenAccountError } from '../../../redeemkit/solana/usdcTransfer/errors.ts'
import {
  type Connection,
  readTokenAccount,
} from '../../../redeemkit/solana/usdcTransfer/prepareUsdcTransfer.ts'
import { sponsorUsdcTransfer } from '../../../redeemkit/solana/usdcTransfer/signUsdcTransfer.ts'
import {
  confirmUsdcTransfer,
  SubmitUnknownError,
  submitUsdcTransfer,
} from '../../../redeemkit/solana/usdcTransfer/submitUsdcTransfer.ts'
import type { UsdcTransfer } from '../../../redeemkit/solana/usdcTransfer/usdcTransfer.ts'
import { keyedLock } from '../../concurrency.ts'
import { problem } from '../http/problem.ts'
import type { Outcome, PaidCreations, SignedTransfer, TransferChain } from './transferChain.ts'

/** Number of token accounts that the service pays for per day: for one customer's transfers, and in total. */
const creationsPerWallet = 5
const creationsPerDay = 1000

/** Throws if the service does not pay the rent of the receiver's token account. */
export function checkRentLimits(to: string, { toDestination, byWallet, byService }: PaidCreations): void {
  const reason =
    toDestination > 0
      ? 'the service has paid for one before'
      : byWallet >= creationsPerWallet
        ? `the service has paid for ${byWallet} of this wallet's receivers within a day`
        : byService >= creationsPerDay
          ? 'the service has reached its limit for today'
          : undefined
  if (reason !== undefined)
    throw new MissingTokenAccountError(`${to} has no token account for USDC, and ${reason}.`, {
      field: 'to',
      fix: 'Have the receiver create its own token account, then prepare the transfer again.',
    })
}

export type TransferContext = {
  connection: Connection
  /** Pays fees and rent. */
  sponsor: { publicKey: string; secretKey: Uint8Array }
  environment: Environment
  now: Clock
}

/** Time for which one call follows a transaction. A repeated call continues to follow it. */
const followMs = 30_000
const pollMs = 100

const bigintFields = ['amount', 'computeUnitPrice', 'maxFeeLamports'] as const

export function parseFacts(facts: string): UsdcTransfer {
  // `jsonText` wrote this text when the transfer was prepared.
  const transfer = JSON.parse(facts) as Omit<UsdcTransfer, (typeof bigintFields)[number]> &
    Record<(typeof bigintFields)[number], string>
  return {
    ...transfer,
    amount: BigInt(transfer.amount),
    computeUnitPrice: BigInt(transfer.computeUnitPrice),
    maxFeeLamports: BigInt(transfer.maxFeeLamports),
  }
}

/** Rethrows unexpected errors. */
function outcomeOf(error: unknown, isSent: boolean): Outcome {
  if (isNamed(error, 'BlockhashExpiredError'))
    return {
      status: 'expired',
      problem: problem(
        'PERMIT_EXPIRED',
        'The blockhash has expired, so the transaction can never be confirmed. Prepare the transfer again: POST /sandbox/usdc-transfer.',
        { cause: error },
      ),
    }
  if (isNamed(error, 'TransactionFailedError', 'MissingTokenAccountError'))
    return {
      status: isSent ? 'failed' : 'refused',
      problem: problem('SIMULATION_FAILED', `${error.shortMessage} ${error.fix ?? ''}`.trim(), {
        cause: error,
        details: { revertReason: error.shortMessage, error: { name: error.name } },
      }),
    }
  if (isNamed(error, 'WrongSignatureError'))
    return {
      status: 'refused',
      problem: problem(
        'INVALID_USDC_AUTHORIZATION',
        `${error.shortMessage} The customer must sign the prepared transaction.`,
        { cause: error },
      ),
    }
  throw error
}

function isNamed(error: unknown, ...names: readonly string[]): error is BaseError {
  return error instanceof BaseError && names.includes(error.name)
}

/** Whether a transaction equals the prepared one, apart from signatures and assertions that the wallet inserted. */
export function isPreparedTransaction(transaction: string, prepared: UsdcTransfer): boolean {
  const [given, built] = [readTransaction(transaction), readTransaction(prepared.transaction)]
  if (Buffer.from(given.message).equals(built.message)) return true
  if (withoutAssertions(given) !== withoutAssertions(built)) return false
  // The inspection has checked the assertions.
  const { findings } = inspectRequest({ transaction, wallet: prepared.from, expected: prepared })
  return findings.every(({ severity }) => severity !== 'danger')
}

/** Returns a message with addresses instead of indexes, because an additional instruction changes all indexes. */
function withoutAssertions(parsed: ParsedTransaction): string {
  const { version, blockhash, keys, signers, readonlySigners, readonlyOthers, lookups } = parsed
  const written = keys.slice(signers, keys.length - readonlyOthers).sort()
  const instructions = parsed.instructions
    .map(({ program, accounts, data }) => [
      keys[program],
      accounts.map((account) => keys[account]),
      Buffer.from(data).toString('hex'),
    ])
    .filter(([program]) => program !== programs.lighthouse)
  const signing = [keys.slice(0, signers), readonlySigners]
  return JSON.stringify([version, blockhash, signing, written, lookups, instructions])
}

export async function resumeTransfer(
  { connection }: TransferContext,
  { facts, raw, hash }: { facts: string; raw: string; hash: string },
): Promise<Outcome> {
  // The transaction may be confirmed already, or may fail now. Looking it up decides.
  await submitUsdcTransfer(connection, { transaction: raw }).catch((error: unknown) => {
    if (!isNamed(error, 'TransactionFailedError', 'SubmitUnknownError')) throw error
  })
  try {
    return await confirm(connection, { hash, lastValidBlockHeight: parseFacts(facts).lastValidBlockHeight })
  } catch (error) {
    return outcomeOf(error, true)
  }
}

type Transfer = Parameters<TransferChain['settle']>[0]

export function settleTransfer(context: TransferContext, transfer: Transfer): Promise<Outcome> {
  const expected = parseFacts(transfer.facts)
  const settle = () => settlePrepared(context, { ...transfer, expected })
  if (expected.rent?.lamports === '0') return settle()
  // The next transfer finds the account that this one created. The fixed order of the locks prevents deadlocks.
  return oneAtATime(`to ${expected.to}`, () => oneAtATime(`from ${expected.from}`, settle))
}

const oneAtATime = keyedLock()

async function settlePrepared(
  { connection, sponsor }: TransferContext,
  { expected, transaction, onSigned }: Omit<Transfer, 'facts'> & { expected: UsdcTransfer },
): Promise<Outcome> {
  let isSent = false
  try {
    const checkPaid = await checkReceiver(connection, expected)
    const signed = await sponsorUsdcTransfer(sponsor, { transaction, expected })
    const hash = signatureOf(signed.transaction)
    await onSigned({ raw: signed.transaction, hash, checkPaid })
    await submitUsdcTransfer(connection, signed).catch((error: unknown) => {
      // The blockhash has expired, so the transaction was included earlier or never will be. Looking it up decides.
      if (!(error instanceof SubmitUnknownError && error.field === 'blockhash')) throw error
    })
    isSent = true
    return await confirm(connection, { hash, lastValidBlockHeight: expected.lastValidBlockHeight })
  } catch (error) {
    return outcomeOf(error, isSent)
  }
}

async function confirm(
  connection: TransferContext['connection'],
  { hash, lastValidBlockHeight }: { hash: string; lastValidBlockHeight: number },
): Promise<Outcome> {
  const signal = AbortSignal.timeout(followMs)
  await confirmUsdcTransfer(connection, { signature: hash, lastValidBlockHeight, pollMs, signal })
  return { status: 'settled' }
}

/**
 * Checks the limits again, because several transfers may have been prepared before the first paid for the receiver's account. Throws if the
 * account existed at the preparation and no longer does: the sponsor would pay for a new one.
 */
async function checkReceiver(
  connection: TransferContext['connection'],
  { environment, to, rent }: UsdcTransfer,
): Promise<SignedTransfer['checkPaid']> {
  const { usdcMint: mint } = networkOf(environment)
  const account = tokenAccountOf({ owner: to, mint })
  if ((await readTokenAccount(connection, account)) !== undefined) return undefined
  if (rent?.lamports !== '0') return (paid) => checkRentLimits(to, paid)
  throw new MissingTokenAccountError(`${to} no longer has a USDC token account.`, {
    field: 'to',
    fix: 'Prepare the transfer again.',
  })
}

function signatureOf(raw: string): string {
  return formatBase58(readTransaction(raw).signatures[0] ?? new Uint8Array())
}
