import { randomInt } from 'node:crypto'
import { centsToAmount } from '../../../core/amount/centsToAmount.ts'
import type { Environment } from '../../../core/blockchains.ts'
import { BaseError } from '../../../core/errors/baseError.ts'
import type { Clock } from '../../../core/time/clock.ts'
import { tokenAccountOf } from '../../../solana/address/tokenAccountOf.ts'
import { formatBase58 } from '../../../solana/encoding/formatBase58.ts'
import { inspect } from '../../../solana/inspect/inspect.ts'
import { networkOf } from '../../../solana/networks.ts'
import { readTransaction } from '../../../solana/transaction/readTransaction.ts'
import { confirmUsdcTransfer } from '../../../solana/usdcTransfer/confirmUsdcTransfer.ts'
import type { Connection } from '../../../solana/usdcTransfer/connection.ts'
import { MissingTokenAccountError } from '../../../solana/usdcTransfer/errors.ts'
import { prepareUsdcTransfer } from '../../../solana/usdcTransfer/prepareUsdcTransfer.ts'
import { readTokenAccount } from '../../../solana/usdcTransfer/readTokenAccount.ts'
import { submitUsdcTransfer } from '../../../solana/usdcTransfer/submitUsdcTransfer.ts'
import { type UsdcTransfer, usdcTransfer } from '../../../solana/usdcTransfer/usdcTransfer.ts'
import { openConnection } from '../../chains/solana/openConnection.ts'
import { settleUsdcTransfer } from '../../chains/solana/settleUsdcTransfer.ts'
import { keyedLock } from '../../process/keyedLock.ts'
import { problem } from '../http/problem.ts'
import type { Outcome, PaidCreations, SolanaSponsor, TransferChain } from './transferChain.ts'

/** How long one call follows a transaction. After it, the same call again goes on. */
const followMs = 30_000
const pollMs = 100
/** A blockhash is good for 150 blocks of 0.4 seconds. */
const blockhashMs = 60_000

/** Token accounts that one customer's transfers, and that all of them, may have paid for within a day. */
const creationsPerWallet = 5
const creationsPerDay = 1000

/**
 * USDC on Solana: version 0, fee and rent paid by the sponsor, the payment id as memo.
 *
 * Whoever owns a token account can close it and keep the rent, so rent is paid once for each receiver, for at most five
 * receivers a day for each customer, and for 1000 a day altogether. Beyond that the receiver creates its own account first.
 */
export function solanaTransfers(
  options: SolanaSponsor & { environment: Environment; now: Clock },
): TransferChain {
  const { rpcUrl, sponsorKey, environment, now } = options
  const connection = openConnection(rpcUrl)
  const sponsorAddress = formatBase58(sponsorKey.slice(32))
  const sponsor = { publicKey: sponsorAddress, secretKey: sponsorKey }
  return {
    sponsors: [sponsorAddress],
    usdcOf: async (wallet) => {
      const { usdcMint } = networkOf(environment)
      const account = tokenAccountOf({ owner: wallet, mint: usdcMint })
      return (await readTokenAccount(connection, account))?.amount ?? 0n
    },
    checkRequest: ({ wallet, destination, cents, paymentId }) => {
      // Built and thrown away: whatever needs no look at the chain is judged here.
      usdcTransfer({
        environment,
        from: wallet,
        to: destination,
        amount: centsToAmount(cents),
        sponsor: sponsorAddress,
        paymentId,
        blockhash: '11111111111111111111111111111111',
        lastValidBlockHeight: 0,
      })
    },
    prepare: async ({ wallet, destination, cents, paymentId, paidCreations }) => {
      const transfer = await prepareUsdcTransfer(connection, {
        environment,
        from: wallet,
        to: destination,
        amount: centsToAmount(cents),
        sponsor: sponsorAddress,
        paymentId,
        // Two equal payments at one blockhash would be one transaction, which lands once.
        computeUnitLimit: 120_000 + randomInt(65_536),
      })
      if (transfer.rent?.lamports !== '0') refuseFarming(destination, await paidCreations())
      const { transaction, rent, blockhash, lastValidBlockHeight, ...rest } = transfer
      return {
        amount: transfer.amount,
        facts: format(transfer),
        paysRent: transfer.rent?.lamports !== '0',
        expiresAt: new Date(now() + blockhashMs),
        answer: {
          transaction,
          rent,
          blockhash,
          lastValidBlockHeight,
          expected: JSON.parse(format({ ...rest, rent, blockhash })),
        },
      }
    },
    check: (transaction) => {
      try {
        readTransaction(transaction)
      } catch (cause) {
        if (!(cause instanceof BaseError)) throw cause
        throw problem('INVALID_REQUEST', cause.shortMessage, { cause, issues: ['transaction'] })
      }
    },
    isPrepared: (transaction, facts) => {
      const [given, prepared] = [readTransaction(transaction), readTransaction(parse(facts).transaction)]
      return Buffer.from(given.message).equals(prepared.message)
    },
    explain: (transaction, facts) => {
      const expected = parse(facts)
      const { findings } = inspect({ transaction, wallet: expected.from, expected })
      return findings.map(({ code, message, field }) => ({ code, message, field }))
    },
    settle: ({ facts, ...transfer }) => {
      const expected = parse(facts)
      const settle = () => settlePrepared(connection, { ...transfer, expected, sponsor })
      if (expected.rent?.lamports === '0') return settle()
      // What is counted is written down before the next one is. Always in this order, so that no two wait for each other.
      return oneAtATime(`to ${expected.to}`, () => oneAtATime(`from ${expected.from}`, settle))
    },
    resume: async ({ facts, raw, hash }) => {
      // It may have landed long ago, or fail by now: only a look-up tells.
      await submitUsdcTransfer(connection, { transaction: raw }).catch((error: unknown) => {
        if (!isNamed(error, 'TransactionFailedError', 'SubmitUnknownError')) throw error
      })
      try {
        await confirmUsdcTransfer(connection, {
          signature: hash,
          lastValidBlockHeight: parse(facts).lastValidBlockHeight,
          pollMs,
          signal: AbortSignal.timeout(followMs),
        })
        return { status: 'settled' }
      } catch (error) {
        return outcomeOf(error, true)
      }
    },
  }
}

const oneAtATime = keyedLock()

/** Co-signs what was prepared, sends it, and follows it to its end. */
async function settlePrepared(
  connection: Connection,
  options: Omit<Parameters<TransferChain['settle']>[0], 'facts'> & {
    expected: UsdcTransfer
    sponsor: { publicKey: string; secretKey: Uint8Array }
  },
): Promise<Outcome> {
  const { expected, sponsor, transaction, onSigned, paidCreations } = options
  let isSent = false
  try {
    if (expected.rent?.lamports !== '0') {
      const { usdcMint } = networkOf(expected.environment)
      const account = tokenAccountOf({ owner: expected.to, mint: usdcMint })
      // Many may have been prepared before the first of them was paid for.
      if ((await readTokenAccount(connection, account)) === undefined)
        refuseFarming(expected.to, await paidCreations())
    }
    await settleUsdcTransfer(connection, {
      sponsor,
      expected,
      transaction,
      lastValidBlockHeight: expected.lastValidBlockHeight,
      onSigned: ({ transaction: raw }) => onSigned({ raw, hash: signatureOf(raw) }),
      onSent: () => {
        isSent = true
      },
      signal: AbortSignal.timeout(followMs),
      pollMs,
    })
    return { status: 'settled' }
  } catch (error) {
    return outcomeOf(error, isSent)
  }
}

/** Throws when the rent of the receiver's token account is not the service's to pay any more. */
function refuseFarming(to: string, { toDestination, byWallet, byService }: PaidCreations): void {
  const reason =
    toDestination > 0
      ? 'the service has paid for one before'
      : byWallet >= creationsPerWallet
        ? `the service has paid for ${byWallet} of this wallet's receivers within a day`
        : byService >= creationsPerDay
          ? 'the service has paid for enough of them today'
          : undefined
  if (reason !== undefined)
    throw new MissingTokenAccountError(`${to} has no token account for USDC, and ${reason}.`, {
      field: 'to',
      fix: 'The receiver creates its own token account first; then prepare the transfer again.',
    })
}

/** What an error means for the transfer; an error that is not foreseen goes on. */
function outcomeOf(error: unknown, isSent: boolean): Outcome {
  if (isNamed(error, 'BlockhashExpiredError'))
    return {
      status: 'expired',
      problem: problem(
        'PERMIT_EXPIRED',
        'The blockhash is too old: the transaction can never land. Prepare the transfer again: POST /sandbox/usdc-transfer.',
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
        `${error.shortMessage} Let the customer sign this very transaction.`,
        { cause: error },
      ),
    }
  throw error
}

function isNamed(error: unknown, ...names: readonly string[]): error is BaseError {
  return error instanceof BaseError && names.includes(error.name)
}

function signatureOf(raw: string): string {
  return formatBase58(readTransaction(raw).signatures[0] ?? new Uint8Array())
}

/** Bigints as decimal text. */
function format(value: object): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? one.toString() : one))
}

function parse(facts: string): UsdcTransfer {
  // Written by `format` above.
  const transfer = JSON.parse(facts) as Omit<UsdcTransfer, (typeof bigintFields)[number]> &
    Record<(typeof bigintFields)[number], string>
  return {
    ...transfer,
    amount: BigInt(transfer.amount),
    computeUnitPrice: BigInt(transfer.computeUnitPrice),
    maxFeeLamports: BigInt(transfer.maxFeeLamports),
  }
}

const bigintFields = ['amount', 'computeUnitPrice', 'maxFeeLamports'] as const
