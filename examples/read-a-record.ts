import { InvalidRecordError, parseRecord, transactionData } from 'redeemkit/schema'

/** Validates what a page sends to your server: a known transaction type, without extra fields. */
export function readTransactionData(body: unknown) {
  try {
    return { transactionData: parseRecord(transactionData, body) }
  } catch (error) {
    if (error instanceof InvalidRecordError)
      return { field: error.field, problem: error.shortMessage, fix: error.fix }
    throw error
  }
}
