import type { rpc as Rpc } from '@stellar/stellar-sdk'
import { type Clock, type InvalidClockError, unixSeconds } from '../../core/clock.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import { InvalidOptionError, InvalidTransactionError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { addressCredentialsOf } from '../envelope/authEntry.ts'
import { InvalidMemoError, toMemo } from '../envelope/envelope.ts'
import { type Expectation, type ExpectedTransaction, expectedInvocation } from '../expected.ts'
import { networkOf, type StellarEnvironment, type StellarNetwork } from '../networks.ts'
import { Contract, fromSdk, rpc, TransactionBuilder, xdr } from '../sdk.ts'
import { checkCount, checkStroops } from '../values.ts'
import { guardBuilt, type guardRequest } from './guardRequest.ts'
import { simulateCall } from './simulateCall.ts'

/**
 * Builds a call to a merchant contract: the `stellarTransaction` of a checkout (PROTOCOL.md 9.4).
 *
 * Simulates the call, adds the simulated resources and authorizations, and compares the result with the expectation. If
 * the contract or the RPC server would take more from the customer than `spends`, the function throws.
 *
 * @returns the unsigned transaction as base64 XDR, and the last ledger of its authorizations
 * @throws `ContractCallFailedError` if the call fails; `SimulationUnavailableError` without a simulation;
 * `RefusedTransactionError` and its subclasses if the call does more than `expected`; `MissingExpectationError`,
 * `InvalidMemoError`, `InvalidAddressError`, `InvalidAmountError`
 * @example
 * ```ts
 * import { nativeToScVal, rpc } from '@stellar/stellar-sdk'
 * import { stellarTransaction } from 'redeemkit/stellar'
 * async function buy(from: string, contract: string, merchant: string, sponsor: string) {
 *   return stellarTransaction(new rpc.Server('https://rpc.example'), {
 *     environment: 'prod',
 *     expected: {
 *       kind: 'call', from, sponsor, contract, functionName: 'buy',
 *       args: [nativeToScVal(from, { type: 'address' })],
 *       spends: { to: merchant, amount: 40_000_000n },
 *     },
 *   })
 * }
 * ```
 */
export async function stellarTransaction(
  client: stellarTransaction.Client,
  options: stellarTransaction.Options,
): Promise<stellarTransaction.ReturnType> {
  const network = networkOf(options?.environment)
  const { expected } = options
  const wanted = expectedInvocation(expected, network)
  if (wanted === undefined)
    throw new InvalidTransactionError('Opening an account is not a contract call.', {
      field: 'expected.kind',
      fix: 'Build it with usdcAccount.',
    })
  const { contract, functionName, args } = wanted
  if (expected.memo !== undefined)
    throw new InvalidMemoError(
      `The memo ${showValue(expected.memo, 40)} cannot be used in a contract call.`,
      { field: 'memo', fix: 'Omit it: the network refuses a memo. Pass the payment id to the contract.' },
    )
  const builder = await startTransaction(client, { ...options, network })
  const call = new Contract(contract).call(
    functionName,
    ...args.map((arg) => xdr.ScVal.fromXDR(arg, 'base64')),
  )
  const draft = builder.addOperation(call).build()
  const simulation = await simulateCall(client, draft, functionName)
  const { latestLedger } = simulation
  const validUntilLedger = latestLedger + Math.ceil((options.validForSeconds ?? 300) / 5)
  for (const entry of simulation.result?.auth ?? [])
    addressCredentialsOf(entry)?.holder.signatureExpirationLedger(validUntilLedger)
  const transaction = guardBuilt(rpc.assembleTransaction(draft, simulation).build().toXDR(), {
    ...options,
    latestLedger,
    maxFee: options.maxFee ?? BigInt(simulation.minResourceFee) + (options.inclusionFee ?? 100n),
  })
  return { transaction, validUntilLedger }
}

export declare namespace stellarTransaction {
  /** The SDK's `rpc.Server`, or an object with the same methods. */
  type Client = startTransaction.Client & simulateCall.Client
  type Options = startTransaction.Terms & {
    environment: StellarEnvironment
    expected: ExpectedTransaction
    /** Maximum total fee, in stroops. Default: the simulation's resource fee plus `inclusionFee`. */
    maxFee?: bigint | undefined
  }
  type ReturnType = { transaction: string; validUntilLedger: number }
  type ErrorType = simulateCall.ErrorType | startTransaction.ErrorType | guardRequest.ErrorType
}

/** The source is the sponsor, if any, otherwise the customer. `expectedInvocation` must have checked the accounts of `expected`. */
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
      fix: 'Pass at most 2^32 - 1 stroops.',
    })
  const ownMemo = toMemo(memo)
  const account = await fromSdk(client)
    .getAccount(sponsor)
    .catch((cause: unknown) => {
      throw new MissingAccountError(`The account ${sponsor} could not be loaded.`, {
        cause,
        field: expected.sponsor === undefined ? 'from' : 'sponsor',
        fix: `Create it on ${network.name} first, or check the RPC server.`,
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
  /** The SDK's `rpc.Server`, or an object with the same methods. */
  type Client = Pick<Rpc.Server, 'getAccount'>
  type Terms = {
    /** Seconds for which the transaction can be submitted. Default 300. */
    validForSeconds?: number | undefined
    /** Inclusion fee per operation, in stroops, excluding the resource fee of a call. Default 100. */
    inclusionFee?: bigint | undefined
    now?: Clock | undefined
  }
  type Options = Terms & { network: StellarNetwork; expected: Expectation }
  type ErrorType = MissingAccountError | InvalidMemoError | InvalidOptionError | InvalidClockError
}

/** The account is not on the ledger. */
export class MissingAccountError extends BaseError {
  override readonly name = 'MissingAccountError'
}
