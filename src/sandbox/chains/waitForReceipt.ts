import { type Hex, type PublicClient, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import { ChainSetupError } from './errors.ts'

/**
 * Asks for a receipt until it is there. viem's own waiting looks again at each new block, and lets the one go by that comes while
 * it looks: on a chain that mines a block for each transaction there is no other.
 *
 * @throws {@link ChainSetupError} when there is none after a minute
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
