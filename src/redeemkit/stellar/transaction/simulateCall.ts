import type { rpc as Rpc, Transaction } from '@stellar/stellar-sdk'
import { BaseError } from '../../core/errors/baseError.ts'
import { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { isFromLaterProtocol, readXdr, updateSdk } from '../envelope/envelope.ts'
import { parseOperation } from '../inspect/compareExpected.ts'
import { type InspectOptions, isCallNeeds } from '../inspect/context.ts'
import { fromSdk, rpc } from '../sdk.ts'

/**
 * Returns the resources of a call and, for a call without authorizations, the authorizations that it needs. The simulation checks existing
 * authorizations as the ledger would.
 */
export async function simulateCall(
  client: simulateCall.Client,
  call: Transaction,
  functionName: string,
): Promise<Rpc.Api.SimulateTransactionSuccessResponse> {
  const simulation = await ask(client, call)
  if (rpc.Api.isSimulationError(simulation))
    throw new ContractCallFailedError(
      `The call to ${functionName} fails: ${showValue(simulation.error, 200)}`,
      { field: 'expected', fix: 'Check the arguments, the balance, the trustline and the authorization.' },
    )
  if (rpc.Api.isSimulationRestore(simulation))
    throw new ContractCallFailedError(`${functionName} needs entries that the ledger has archived.`, {
      field: 'expected.contract',
      fix: 'Restore them first (Operation.restoreFootprint), from an account other than the customer’s.',
    })
  if (!isCallNeeds(simulation)) throw unavailable(undefined)
  return simulation
}

async function ask(
  client: simulateCall.Client,
  call: Transaction,
): Promise<Rpc.Api.SimulateTransactionResponse> {
  let answer: Rpc.Api.SimulateTransactionResponse | undefined
  try {
    answer = await fromSdk(client).simulateTransaction(call)
  } catch (cause) {
    throw unavailable(cause)
  }
  if (Object(answer) !== answer) throw unavailable(undefined)
  return answer
}

function unavailable(cause: unknown): SimulationUnavailableError {
  return new SimulationUnavailableError('The RPC server did not return a usable simulation.', {
    field: 'client',
    cause,
    fix: isFromLaterProtocol(cause)
      ? updateSdk
      : 'Try again later, or use another server. Nothing was signed.',
  })
}

export declare namespace simulateCall {
  /** The SDK's `rpc.Server`, or an object with the same methods. */
  type Client = Pick<Rpc.Server, 'simulateTransaction'>
  type ErrorType = ContractCallFailedError | SimulationUnavailableError
}

/** The contract call would fail. */
export class ContractCallFailedError extends BaseError {
  override readonly name = 'ContractCallFailedError'
}

/** The server did not return a simulation: it is unreachable, or its response is invalid. */
export class SimulationUnavailableError extends BaseError {
  override readonly name = 'SimulationUnavailableError'
}

/**
 * Simulates a call on the payer's own RPC server: a sponsor must not trust another party's server about the costs that the sponsor pays.
 * Returns undefined if no simulation is needed: for a payment, for a signer that does not pay the fee, or for a customer without a client.
 * Throws if the call would fail, because a failed call still costs its fee.
 */
export async function simulateAsPayer(
  transaction: Transaction,
  options: simulateAsPayer.Options & { address: string; payer: string },
): Promise<InspectOptions['simulation']> {
  const { address, client, expected, maxFee, payer, simulation } = options
  const [call] = readXdr(() =>
    transaction.operations.flatMap((operation) => parseOperation(operation, transaction.source).call ?? []),
  )
  if (simulation !== undefined || call === undefined || address !== payer) return simulation
  if (client !== undefined) return simulateCall(client, transaction, call.functionName)
  const { from, sponsor } = Object(expected)
  if (sponsor === address && from !== address && maxFee === undefined)
    throw new InvalidOptionError('The resources of the sponsored call are unknown.', {
      field: 'client',
      fix: 'Pass client (your own rpc.Server), simulation (its response) or maxFee.',
    })
  return undefined
}

export declare namespace simulateAsPayer {
  type Options = Pick<InspectOptions, 'expected' | 'maxFee' | 'simulation'> & {
    /** The payer's own RPC server, which simulates the call. A sponsor of calls needs `client`, `simulation` or `maxFee`. */
    client?: simulateCall.Client | undefined
  }
}
