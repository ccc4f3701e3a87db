import { type Hex, type PublicClient, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import { ChainSetupError } from './errors.ts'

/** viem's own function can miss a block that arrives during a check, and this block may be the last on a local chain. */
export async function waitForReceipt(
  client: Pick<PublicClient, 'getTransactionReceipt'>,
  hash: Hex,
): Promise<TransactionReceipt> {
  for (const until = performance.now() + 60_000; performance.now() < until; ) {
    const receipt = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
      if (error instanceof TransactionReceiptNotFoundError) return undefined
      throw error
    })
    if (receipt !== undefined) return receipt
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new ChainSetupError(`Transaction ${hash} was not mined within a minute.`)
}
