import { type Hex, parseAbi } from 'viem'
import type { EvmChain } from '../../chains/evmChain.ts'

/**
 * Whether somebody else has sent the authorization to the token already: `AuthorizationUsed` and, as the token's next log, its
 * `Transfer` (PROTOCOL.md 5.5). A cancelled one leaves neither.
 */
export async function hasLanded(
  { client }: EvmChain,
  options: { usdc: Hex; from: Hex; to: Hex; value: bigint; nonce: Hex },
): Promise<boolean> {
  const { usdc: address, from, to, value, nonce } = options
  if (!(await isUsed(client, { usdc: address, from, nonce }))) return false
  const newest = await client.getBlockNumber()
  const [log] = await client.getContractEvents({
    address,
    abi: tokenAbi,
    eventName: 'AuthorizationUsed',
    args: { authorizer: from, nonce },
    fromBlock: newest > lookBack ? newest - lookBack : 0n,
    toBlock: newest,
  })
  if (log === undefined) return false
  const moved = await client.getContractEvents({
    address,
    abi: tokenAbi,
    eventName: 'Transfer',
    blockHash: log.blockHash,
  })
  return moved.some(
    ({ logIndex, transactionHash, args }) =>
      transactionHash === log.transactionHash &&
      logIndex === log.logIndex + 1 &&
      args.from === from &&
      args.to === to &&
      args.value === value,
  )
}

/** More blocks than pass while an authorization is good. */
const lookBack = 20_000n

const tokenAbi = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

/** Whether the token takes the authorization no more: it was executed, or cancelled. */
export function isUsed(
  client: EvmChain['client'],
  { usdc: address, from, nonce }: { usdc: Hex; from: Hex; nonce: Hex },
): Promise<boolean> {
  return client.readContract({
    address,
    abi: tokenAbi,
    functionName: 'authorizationState',
    args: [from, nonce],
  })
}
