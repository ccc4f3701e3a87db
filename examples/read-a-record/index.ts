import { InvalidRecordError, parseRecord, transactionData } from 'redeemkit/schema'

/** Checks what a page sends to your server: one of the six shapes, and no field beyond it. */
export function readTransactionData(body: unknown) {
  try {
    return { transactionData: parseRecord(transactionData, body) }
  } catch (error) {
    if (error instanceof InvalidRecordError)
      return { field: error.field, problem: error.shortMessage, fix: error.fix }
    throw error
  }
}
