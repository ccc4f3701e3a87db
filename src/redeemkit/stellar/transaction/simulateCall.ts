import { rpc, type Transaction } from '@stellar/stellar-sdk'
import { BaseError } from '../../core/errors/baseError.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { isCallNeeds } from '../inspect/isCallNeeds.ts'

/**
 * Tries a call, which tells its resources and, when it carries no authorizations, those that it needs; with the customer's in it, they
 * are held to all that the ledger will hold them to.
 *
 * @throws {@link ContractCallFailedError}, {@link SimulationUnavailableError}
 */
export async function simulateCall(
  client: simulateCall.Client,
  call: Transaction,
  functionName: string,
): Promise<rpc.Api.SimulateTransactionSuccessResponse> {
  const simulation = await ask(client, call)
  if (rpc.Api.isSimulationError(simulation))
    throw new ContractCallFailedError(
      `The call of ${functionName} fails: ${showValue(simulation.error, 200)}`,
      { field: 'expected', fix: 'Look at the arguments, the balance, the trustline and the authorization.' },
    )
  if (rpc.Api.isSimulationRestore(simulation))
    throw new ContractCallFailedError(`${functionName} needs entries that the ledger has archived.`, {
      field: 'expected.contract',
      fix: 'Have them restored first (Operation.restoreFootprint), by another than the customer.',
    })
  if (!isCallNeeds(simulation)) throw unavailable(undefined)
  return simulation
}

/** @throws {@link SimulationUnavailableError} for a server that cannot be reached, or that answers with something else */
async function ask(
  client: simulateCall.Client,
  call: Transaction,
): Promise<rpc.Api.SimulateTransactionResponse> {
  let answer: rpc.Api.SimulateTransactionResponse | undefined
  try {
    answer = await client.simulateTransaction(call)
  } catch (cause) {
    throw unavailable(cause)
  }
  if (Object(answer) !== answer) throw unavailable(undefined)
  return answer
}

function unavailable(cause: unknown): SimulationUnavailableError {
  return new SimulationUnavailableError('The RPC server does not say what the call needs.', {
    field: 'client',
    cause,
    fix: 'Ask again later, or another server. Nothing was signed.',
  })
}

export declare namespace simulateCall {
  /** The SDK's `rpc.Server` fits. */
  type Client = Pick<rpc.Server, 'simulateTransaction'>
  type ErrorType = ContractCallFailedError | SimulationUnavailableError
}

/** A contract call that would fail. */
export class ContractCallFailedError extends BaseError {
  override readonly name = 'ContractCallFailedError'
}

/** A server that does not say what a call needs: out of reach, or with an answer that is none. */
export class SimulationUnavailableError extends BaseError {
  override readonly name = 'SimulationUnavailableError'
}
