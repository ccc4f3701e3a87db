import type { rpc } from '@stellar/stellar-sdk'

/** Of the answer to a simulation, what it says of fee and resources. */
export type CallNeeds = Pick<rpc.Api.SimulateTransactionSuccessResponse, 'minResourceFee' | 'transactionData'>

/** Whether a value says, as the SDK's answer to a simulation does, what a call needs: a fee in stroops, and resources. */
export function isCallNeeds(value: unknown): value is CallNeeds {
  try {
    const { minResourceFee, transactionData } = value as CallNeeds // read with care
    return (
      typeof minResourceFee === 'string' &&
      /^\d{1,19}$/.test(minResourceFee) &&
      transactionData.build().resources().instructions() >= 0
    )
  } catch {
    return false
  }
}
