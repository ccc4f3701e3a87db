import { Contract, rpc, xdr } from '@stellar/stellar-sdk'
import { InvalidTransactionError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import type { Clock } from '../../core/time/clock.ts'
import { addressCredentialsOf } from '../envelope/addressCredentialsOf.ts'
import { InvalidMemoError } from '../envelope/errors.ts'
import { parseTransaction } from '../envelope/parseTransaction.ts'
import { expectedInvocation } from '../expected/expectedInvocation.ts'
import type { ExpectedTransaction } from '../expected/expectedTransaction.ts'
import { networkOf, type StellarEnvironment } from '../networks.ts'
import { guardTransaction } from './guardTransaction.ts'
import { simulateCall } from './simulateCall.ts'
import { startTransaction } from './startTransaction.ts'

/**
 * Builds a call of a merchant contract: the `stellarTransaction` of a checkout (PROTOCOL.md 9.4).
 *
 * The call is simulated, given its resources and authorizations, and held against what was asked: a contract or an RPC
 * server that wants more from the customer than `spends` is refused here already.
 *
 * @returns the unsigned transaction as base64 XDR, and the last ledger of its authorizations
 * @throws `ContractCallFailedError` when the call fails, `SimulationUnavailableError` when nobody says; `RefusedTransactionError` and its kin when it does more than
 * `expected`; `MissingExpectationError`, `InvalidMemoError`, `InvalidAddressError`, `InvalidAmountError`
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
    throw new InvalidTransactionError('An account is no call of a contract.', {
      field: 'expected.kind',
      fix: 'Build it with usdcAccount.',
    })
  const { contract, functionName, args } = wanted
  if (expected.memo !== undefined)
    throw new InvalidMemoError(
      `The memo ${showValue(expected.memo, 40)} cannot stand beside a call of a contract.`,
      {
        field: 'memo',
        fix: 'Leave it out: the network refuses one. Give the payment id to the contract.',
      },
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
  const transaction = rpc.assembleTransaction(draft, simulation).build().toXDR()
  guardTransaction(parseTransaction(transaction, network), {
    ...options,
    latestLedger,
    maxFee: options.maxFee ?? BigInt(simulation.minResourceFee) + (options.inclusionFee ?? 100n),
    address: expected.from,
    maxValidForSeconds: options.validForSeconds,
  })
  return { transaction, validUntilLedger }
}

export declare namespace stellarTransaction {
  /** The SDK's `rpc.Server` fits. */
  type Client = startTransaction.Client & simulateCall.Client
  type Options = {
    environment: StellarEnvironment
    expected: ExpectedTransaction
    /** Until when it may be submitted. Default 300. */
    validForSeconds?: number | undefined
    /** Stroops offered for inclusion, beside the resources. Default 100. */
    inclusionFee?: bigint | undefined
    /** The most that it may cost, in stroops. Default: what the simulation says, and `inclusionFee`. */
    maxFee?: bigint | undefined
    now?: Clock | undefined
  }
  type ReturnType = { transaction: string; validUntilLedger: number }
  type ErrorType = simulateCall.ErrorType | startTransaction.ErrorType | guardTransaction.ErrorType
}
