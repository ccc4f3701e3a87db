import { Keypair, rpc } from '@stellar/stellar-sdk'
import type { Environment } from '../../../redeemkit/core/blockchains.ts'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import type { Clock } from '../../../redeemkit/core/time/clock.ts'
import { parseTransaction } from '../../../redeemkit/stellar/envelope/parseTransaction.ts'
import { networkOf } from '../../../redeemkit/stellar/networks.ts'
import { problem } from '../http/problem.ts'
import { checkTransferRequest } from './stellar/checkTransferRequest.ts'
import { parseFacts } from './stellar/facts.ts'
import { isPreparedTransaction } from './stellar/isPreparedTransaction.ts'
import { prepareStellarTransfer } from './stellar/prepareStellarTransfer.ts'
import { readStellarUsdc } from './stellar/readStellarUsdc.ts'
import { resumeTransfer } from './stellar/resumeTransfer.ts'
import { settleTransfer } from './stellar/settleTransfer.ts'
import { inspectTransfer, type TransferContext } from './stellar/transferContext.ts'
import type { StellarSponsors, TransferChain } from './transferChain.ts'

/** USDC on Stellar: a classic payment, or a call of a merchant contract, with the sponsor as the transaction's source. */
export function stellarTransfers(
  options: StellarSponsors & { environment: Environment; now: Clock },
): TransferChain {
  const { rpcUrl, sponsorKeys, environment, now } = options
  const keypairs = sponsorKeys.map((key) => Keypair.fromSecret(key))
  const context: TransferContext = {
    client: new rpc.Server(rpcUrl, { allowHttp: rpcUrl.startsWith('http:') }),
    environment,
    network: networkOf(environment),
    now,
    sponsors: new Map(keypairs.map((keypair) => [keypair.publicKey(), keypair])),
  }
  const { network, sponsors } = context
  return {
    sponsors: [...sponsors.keys()],
    usdcOf: (wallet) => readStellarUsdc(context, wallet),
    checkRequest: checkTransferRequest,
    prepare: (request) => prepareStellarTransfer(context, request),
    check: (transaction) => {
      try {
        parseTransaction(transaction, network)
      } catch (cause) {
        if (!(cause instanceof BaseError)) throw cause
        throw problem('INVALID_REQUEST', cause.shortMessage, { cause, issues: ['transaction'] })
      }
    },
    isPrepared: (transaction, facts) =>
      isPreparedTransaction(transaction, parseFacts(facts).transaction, network),
    explain: (transaction, facts) =>
      inspectTransfer(context, transaction, parseFacts(facts))
        .findings.filter(({ severity, code }) => severity === 'danger' && code !== 'EXPIRED')
        .map(({ code, message, field }) => ({ code, message, field })),
    settle: (transfer) => settleTransfer(context, transfer),
    resume: (transfer) => resumeTransfer(context, transfer),
  }
}
