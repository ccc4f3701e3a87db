import type { Transaction } from '@stellar/stellar-sdk'
import { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { readXdr } from '../envelope/readXdr.ts'
import type { InspectOptions } from '../inspect/context.ts'
import { parseOperation } from '../inspect/parseOperation.ts'
import { simulateCall } from './simulateCall.ts'

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
