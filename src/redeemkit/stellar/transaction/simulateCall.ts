import { rpc, type Transaction } from '@stellar/stellar-sdk'
import { BaseError } from '../../core/errors/baseError.ts'
import { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { readXdr } from '../envelope/parseTransaction.ts'
import type { InspectOptions } from '../inspect/context.ts'
import { isCallNeeds } from '../inspect/context.ts'
import { parseOperation } from '../inspect/operations.ts'

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

/**
 * What a call needs, by the word of the payer's own RPC server: a sponsor takes no one else's for what it pays.
 *
 * @returns undefined where nobody asks: for a payment, for who does not pay the fee, for a customer without a client
 * @throws `ContractCallFailedError` for a call that would fail, which costs its payer all the same;
 * `SimulationUnavailableError` when the server does not say; `InvalidOptionError`
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
    throw new InvalidOptionError('Nothing says what the sponsored call needs.', {
      field: 'client',
      fix: 'Give client, an rpc.Server of your own; or simulation, what it answered; or maxFee.',
    })
  return undefined
}

export declare namespace simulateAsPayer {
  type Options = Pick<InspectOptions, 'expected' | 'maxFee' | 'simulation'> & {
    /** The payer's own RPC server, which says what a call needs. A sponsor of calls needs it, or `simulation`, or `maxFee`. */
    client?: simulateCall.Client | undefined
  }
}
