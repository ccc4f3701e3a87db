import { type rpc, TransactionBuilder } from '@stellar/stellar-sdk'
import { BaseError } from '../../core/errors/baseError.ts'
import { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { type Clock, type InvalidClockError, unixSeconds } from '../../core/time/clock.ts'
import { checkCount, checkStroops } from '../checkOptions.ts'
import type { InvalidMemoError } from '../envelope/errors.ts'
import { toMemo } from '../envelope/toMemo.ts'
import type { Expectation } from '../expected/expectedTransaction.ts'
import type { StellarNetwork } from '../networks.ts'

/**
 * A builder with source, sequence, fee, memo and time limit set: the sponsor as source when there is one.
 *
 * @param options.expected whose accounts `expectedInvocation` has checked
 * @throws {@link MissingAccountError} `InvalidMemoError`, `InvalidOptionError`
 */
export async function startTransaction(
  client: startTransaction.Client,
  options: startTransaction.Options,
): Promise<TransactionBuilder> {
  const { expected, network } = options
  const { memo, from, sponsor = from } = expected
  const fee = checkStroops(options.inclusionFee, 'inclusionFee') ?? 100n
  const validForSeconds = checkCount(options.validForSeconds, 'validForSeconds') ?? 300
  if (fee > 0xffff_ffffn)
    throw new InvalidOptionError(`inclusionFee is ${fee}.`, {
      field: 'inclusionFee',
      fix: 'Give at most 2^32 - 1 stroops.',
    })
  const ownMemo = toMemo(memo)
  const account = await client.getAccount(sponsor).catch((cause: unknown) => {
    throw new MissingAccountError(`The account ${sponsor} could not be loaded.`, {
      cause,
      field: expected.sponsor === undefined ? 'from' : 'sponsor',
      fix: `Create it on ${network.name} first, or look at the RPC server.`,
    })
  })
  const maxTime = Number(unixSeconds(options.now)) + validForSeconds
  return new TransactionBuilder(account, {
    fee: fee.toString(),
    networkPassphrase: network.networkPassphrase,
    timebounds: { minTime: 0, maxTime },
    memo: ownMemo,
  })
}

export declare namespace startTransaction {
  /** The SDK's `rpc.Server` fits. */
  type Client = Pick<rpc.Server, 'getAccount'>
  type Options = {
    network: StellarNetwork
    expected: Expectation
    validForSeconds?: number | undefined
    inclusionFee?: bigint | undefined
    now?: Clock | undefined
  }
  type ErrorType = MissingAccountError | InvalidMemoError | InvalidOptionError | InvalidClockError
}

/** An account that is not on the ledger. */
export class MissingAccountError extends BaseError {
  override readonly name = 'MissingAccountError'
}
