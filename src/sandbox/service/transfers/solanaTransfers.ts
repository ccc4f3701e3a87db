import { randomInt } from 'node:crypto'
import { centsToAmount } from '../../../redeemkit/core/amount.ts'
import type { Environment } from '../../../redeemkit/core/blockchains.ts'
import type { Clock } from '../../../redeemkit/core/clock.ts'
import { jsonText } from '../../../redeemkit/core/parseJson.ts'
import { tokenAccountOf } from '../../../redeemkit/solana/address.ts'
import { formatBase58 } from '../../../redeemkit/solana/encoding.ts'
import { inspectRequest } from '../../../redeemkit/solana/inspect/inspectRequest.ts'
import { networkOf } from '../../../redeemkit/solana/networks.ts'
import { readTransaction } from '../../../redeemkit/solana/transaction/parseTransaction.ts'
import {
  prepareUsdcTransfer,
  readTokenAccount,
} from '../../../redeemkit/solana/usdcTransfer/prepareUsdcTransfer.ts'
import { maxUnits, unitsFor } from '../../../redeemkit/solana/usdcTransfer/transferTerms.ts'
import { usdcTransfer } from '../../../redeemkit/solana/usdcTransfer/usdcTransfer.ts'
import { openConnection } from '../../chains/solana/openConnection.ts'
import {
  checkRentLimits,
  isPreparedTransaction,
  parseFacts,
  resumeTransfer,
  settleTransfer,
  type TransferContext,
} from './settleSolanaTransfer.ts'
import type {
  Paid,
  PreparedTransfer,
  SolanaSponsor,
  TransferChain,
  TransferRequest,
} from './transferChain.ts'

/** Returns a wallet's USDC in millionths; 0 without a token account. */
async function readSolanaUsdc({ connection, environment }: TransferContext, wallet: string): Promise<bigint> {
  const { usdcMint } = networkOf(environment)
  const account = tokenAccountOf({ owner: wallet, mint: usdcMint })
  return (await readTokenAccount(connection, account))?.amount ?? 0n
}

/** Building the transfer rejects an invalid request, without a request to the chain. */
function checkTransferRequest(
  { environment, sponsor }: TransferContext,
  request: Omit<TransferRequest, 'sponsor'>,
): void {
  const { wallet, destination, cents, paymentId } = request
  usdcTransfer({
    environment,
    from: wallet,
    to: destination,
    amount: centsToAmount(cents),
    sponsor: sponsor.publicKey,
    paymentId,
    blockhash: '11111111111111111111111111111111',
    lastValidBlockHeight: 0,
  })
}

/** Lifetime of a blockhash: 150 blocks of 0.4 seconds. */
const blockhashMs = 60_000

/** Range of the random part of the compute unit limit, which makes two equal payments with one blockhash different transactions. */
const randomUnits = 65_536

async function prepareSolanaTransfer(
  { connection, environment, sponsor, now }: TransferContext,
  request: TransferRequest & Paid,
): Promise<PreparedTransfer> {
  const { wallet, destination, cents, paymentId, paidCreations } = request
  const transfer = await prepareUsdcTransfer(connection, {
    environment,
    from: wallet,
    to: destination,
    amount: centsToAmount(cents),
    sponsor: sponsor.publicKey,
    paymentId,
    computeUnitLimit: unitsOf(paymentId),
  })
  const paysRent = transfer.rent?.lamports !== '0'
  if (paysRent) checkRentLimits(destination, await paidCreations())
  const { transaction, rent, blockhash, lastValidBlockHeight, ...rest } = transfer
  return {
    amount: transfer.amount,
    facts: jsonText(transfer),
    paysRent,
    expiresAt: new Date(now() + blockhashMs),
    answer: {
      transaction,
      rent,
      blockhash,
      lastValidBlockHeight,
      expected: JSON.parse(jsonText({ ...rest, rent, blockhash })),
    },
  }
}

function unitsOf(paymentId: string | undefined): number {
  return Math.min(unitsFor(paymentId ?? '', 3), maxUnits - randomUnits) + randomInt(randomUnits)
}

/**
 * Creates USDC transfers on Solana: version 0 transactions whose fee and rent the sponsor pays, with the payment id as memo.
 *
 * The owner of a token account can close it and keep the rent. So the sponsor pays rent once per receiver, for at most five
 * receivers per customer a day and 1,000 a day in total. Beyond that, receivers must create their own account.
 */
export function solanaTransfers(
  options: SolanaSponsor & { environment: Environment; now: Clock },
): TransferChain {
  const { rpcUrl, sponsorKey, environment, now } = options
  const publicKey = formatBase58(sponsorKey.slice(32))
  const context: TransferContext = {
    connection: openConnection(rpcUrl),
    sponsor: { publicKey, secretKey: sponsorKey },
    environment,
    now,
  }
  return {
    sponsors: [publicKey],
    usdcOf: (wallet) => readSolanaUsdc(context, wallet),
    checkRequest: (request) => checkTransferRequest(context, request),
    prepare: (request) => prepareSolanaTransfer(context, request),
    check: (transaction) => void readTransaction(transaction),
    isPrepared: (transaction, facts) => isPreparedTransaction(transaction, parseFacts(facts)),
    explain: (transaction, facts) => {
      const expected = parseFacts(facts)
      const { findings } = inspectRequest({ transaction, wallet: expected.from, expected })
      return findings.map(({ code, message, field }) => ({ code, message, field }))
    },
    settle: (transfer) => settleTransfer(context, transfer),
    resume: (transfer) => resumeTransfer(context, transfer),
  }
}
