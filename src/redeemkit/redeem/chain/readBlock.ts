import type { EvmClient } from '../../evm/client.ts'
import { askNode, toBigInt, toRecord } from '../../evm/client.ts'
import { isHex } from './decodeRedeemed.ts'

/** Reads the header of a block: `latest`, or its number in hex. */
export async function readBlock(
  client: EvmClient,
  which: string,
): Promise<{ number: bigint; timestamp: bigint; hash: string | undefined }> {
  const head = toRecord(
    await askNode(client, 'eth_getBlockByNumber', [which, false], { field: 'publicClient' }),
    'the block',
  )
  return {
    number: toBigInt(head.number, 'the block number'),
    timestamp: toBigInt(head.timestamp, 'the block time'),
    hash: isHex(head.hash, 32) ? head.hash.toLowerCase() : undefined,
  }
}
