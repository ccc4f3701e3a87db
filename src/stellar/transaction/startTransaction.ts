import { Memo, type rpc, TransactionBuilder } from '@stellar/stellar-sdk'
import { BaseError } from '../../core/errors/baseError.ts'
import { type Clock, unixSeconds } from '../../core/time/clock.ts'
import type { StellarNetwork } from '../networks.ts'
import { checkAddress } from '../signer/checkAddress.ts'
import type { ExpectedTransaction } from './expected.ts'

/**
 * A builder with source, sequence, fee, memo and time limit set: the sponsor as source when there is one.
 *
 * @throws {@link MissingAccountError} `InvalidAddressError`
 */
export async function startTransaction(
  client: startTransaction.Client,
  options: startTransaction.Options,
): Promise<TransactionBuilder> {
  const { expected, network } = options
  const source = checkAddress(
    expected.sponsor ?? expected.from,
    expected.sponsor === undefined ? 'from' : 'sponsor',
  )
  checkAddress(expected.from, 'from')
  const account = await client.getAccount(source).catch((cause: unknown) => {
    throw new MissingAccountError(`The account ${source} could not be loaded.`, {
      cause,
      field: expected.sponsor === undefined ? 'from' : 'sponsor',
      fix: `Create it on ${network.name} first, or look at the RPC server.`,
    })
  })
  const { memo } = expected
  if (memo !== undefined && new TextEncoder().encode(memo).length > 28)
    throw new InvalidMemoError('The memo is longer than 28 bytes.', {
      field: 'memo',
      fix: 'Use a shorter payment id.',
    })
  const maxTime = Number(unixSeconds(options.now)) + (options.validForSeconds ?? 300)
  return new TransactionBuilder(account, {
    fee: (options.inclusionFee ?? 100n).toString(),
    networkPassphrase: network.networkPassphrase,
    timebounds: { minTime: 0, maxTime },
    ...(memo === undefined ? {} : { memo: Memo.text(memo) }),
  })
}

export declare namespace startTransaction {
  /** The SDK's `rpc.Server` fits. */
  type Client = Pick<rpc.Server, 'getAccount'>
  type Options = {
    network: StellarNetwork
    expected: ExpectedTransaction
    validForSeconds?: number | undefined
    inclusionFee?: bigint | undefined
    now?: Clock | undefined
  }
}

/** An account that is not on the ledger. */
export class MissingAccountError extends BaseError {
  override readonly name = 'MissingAccountError'
}

/** A memo that does not fit. */
export class InvalidMemoError extends BaseError {
  override readonly name = 'InvalidMemoError'
}
