import { rpc, type Transaction } from '@stellar/stellar-sdk'
import { BaseError } from '../../core/errors/baseError.ts'
import { showValue } from '../../core/errors/showValue.ts'

/**
 * Tries a call, which tells its resources and, when it carries no authorizations, those that it needs; with the customer's in it, they
 * are held to all that the ledger will hold them to.
 *
 * @throws {@link ContractCallFailedError}
 */
export async function simulateCall(
  client: simulateCall.Client,
  call: Transaction,
  functionName: string,
): Promise<rpc.Api.SimulateTransactionSuccessResponse> {
  const simulation = await client.simulateTransaction(call)
  if (!rpc.Api.isSimulationSuccess(simulation))
    throw new ContractCallFailedError(
      `The call of ${functionName} fails: ${showValue(rpc.Api.isSimulationError(simulation) ? simulation.error : 'no answer', 200)}`,
      { field: 'expected', fix: 'Look at the arguments, the balance, the trustline and the authorization.' },
    )
  if (rpc.Api.isSimulationRestore(simulation))
    throw new ContractCallFailedError(`${functionName} needs entries that the ledger has archived.`, {
      field: 'expected.contract',
      fix: 'Have them restored first (Operation.restoreFootprint), by another than the customer.',
    })
  return simulation
}

export declare namespace simulateCall {
  /** The SDK's `rpc.Server` fits. */
  type Client = Pick<rpc.Server, 'simulateTransaction'>
}

/** A contract call that would fail. */
export class ContractCallFailedError extends BaseError {
  override readonly name = 'ContractCallFailedError'
}
