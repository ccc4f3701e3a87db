import type { Environment } from '../../../redeemkit/core/blockchains.ts'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import type { Clock } from '../../../redeemkit/core/time/clock.ts'
import { formatBase58 } from '../../../redeemkit/solana/encoding.ts'
import { inspect } from '../../../redeemkit/solana/inspect/inspect.ts'
import { readTransaction } from '../../../redeemkit/solana/transaction/parseTransaction.ts'
import { openConnection } from '../../chains/solana/openConnection.ts'
import { problem } from '../http/problem.ts'
import { checkTransferRequest } from './solana/checkTransferRequest.ts'
import { parseFacts } from './solana/facts.ts'
import { isPreparedTransaction } from './solana/isPreparedTransaction.ts'
import { prepareSolanaTransfer } from './solana/prepareSolanaTransfer.ts'
import { readSolanaUsdc } from './solana/readSolanaUsdc.ts'
import { resumeTransfer } from './solana/resumeTransfer.ts'
import { settleTransfer } from './solana/settleTransfer.ts'
import type { TransferContext } from './solana/transferContext.ts'
import type { SolanaSponsor, TransferChain } from './transferChain.ts'

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
    check: (transaction) => {
      try {
        readTransaction(transaction)
      } catch (cause) {
        if (!(cause instanceof BaseError)) throw cause
        throw problem('INVALID_REQUEST', cause.shortMessage, { cause, issues: ['transaction'] })
      }
    },
    isPrepared: (transaction, facts) => isPreparedTransaction(transaction, parseFacts(facts)),
    explain: (transaction, facts) => {
      const expected = parseFacts(facts)
      const { findings } = inspect({ transaction, wallet: expected.from, expected })
      return findings.map(({ code, message, field }) => ({ code, message, field }))
    },
    settle: (transfer) => settleTransfer(context, transfer),
    resume: (transfer) => resumeTransfer(context, transfer),
  }
}
