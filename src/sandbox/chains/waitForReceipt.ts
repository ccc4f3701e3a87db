import { type Hex, type PublicClient, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import { ChainSetupError } from './errors.ts'

/**
 * Polls for a receipt. viem's own function checks at each new block and can miss a block that arrives during a check.
 * On a chain that mines a block per transaction, there may be no further block.
 */
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
