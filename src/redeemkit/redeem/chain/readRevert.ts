import type { Hex } from 'viem'
import { attempt } from '../../core/attempt.ts'
import { showText } from '../../core/errors/showValue.ts'
import { askNode, type EvmClient, isRevert, toBigInt, toQuantity, toRecord } from '../../evm/client.ts'
import { decodeRevert, revertDataOf } from '../../evm/revert/decodeRevert.ts'
import { decodeValues } from '../../evm/revert/decodeValues.ts'
import { isHex } from '../../evm/values.ts'
import { checkPublicClient, type RedeemKey } from './redeemKey.ts'

/** A redeem's transaction that was mined and reverted. It charged nothing and did not use the nonce. */
export type RedeemRevert = {
  hash: Hex
  blockNumber: bigint
  blockHash: Hex
  /** The reason as one line of text. */
  reason: string
  /** The revert data, if the node returned it. `decodeRevert` of redeemkit/evm decodes it with your contract's ABI. */
  revertData?: Hex | undefined
}

const asked = { field: 'publicClient' } as const

/**
 * Reads whether the reported transaction was mined and reverted, and why. A missing reason is not an error.
 *
 * A service could report any hash, so only a transaction to the credits contract with wallet and nonce in its call data counts. To get the
 * reason, the call is repeated at the previous block, then at its own block.
 *
 * @param options.anyTarget accepts a transaction to another contract, which may have called the credits contract
 */
export async function readRevert(
  client: EvmClient,
  key: RedeemKey,
  hash: Hex,
  options: { transactionData?: object | undefined; anyTarget?: boolean | undefined } = {},
): Promise<RedeemRevert | undefined> {
  checkPublicClient(client)
  const answer = await askNode(client, 'eth_getTransactionReceipt', [hash], asked)
  if (answer === null || answer === undefined) return undefined
  const receipt = toRecord(answer, 'the receipt')
  const { blockHash } = receipt
  if (!isHex(blockHash, 32) || !isSame(receipt.transactionHash, hash)) return undefined
  const isBatch = receipt.status === '0x1' && hasFailedItem(receipt.logs, key)
  if (receipt.status !== '0x0' && !isBatch) return undefined
  const found = await askNode(client, 'eth_getTransactionByHash', [hash], asked)
  if (found === null || found === undefined) return undefined
  const transaction = toRecord(found, 'the transaction')
  const { from, to, gas } = transaction
  const data = transaction.input ?? transaction.data
  if (!isHex(data) || !isSame(transaction.hash, hash)) return undefined
  if (options.anyTarget !== true && !isSame(to, key.creditsContract)) return undefined
  const held = data.toLowerCase()
  if (![key.wallet, key.nonce].every((part) => held.includes(part.slice(2).toLowerCase()))) return undefined
  const blockNumber = toBigInt(receipt.blockNumber, 'the block number')
  if (isBatch) {
    const left = await askAlone(client, key, { from, data })
    return left && { hash, blockNumber, blockHash, ...reasonOf(left, options) }
  }
  const call = { from, to, gas, data }
  const ranOut = typeof gas === 'string' && isSame(receipt.gasUsed, gas)
  for (const block of [blockNumber - 1n, blockNumber]) {
    const left = await askAgain(client, call, block)
    if (left === undefined || (left === '0x' && ranOut)) continue
    return { hash, blockNumber, blockHash, ...reasonOf(left, options) }
  }
  return {
    hash,
    blockNumber,
    blockHash,
    reason: ranOut ? 'it ran out of gas' : 'the node returned no reason',
  }
}

function reasonOf(
  left: Hex,
  { transactionData }: { transactionData?: object | undefined },
): Pick<RedeemRevert, 'reason' | 'revertData'> {
  const { name, args, reason } = decodeRevert({ data: left, transactionData })
  // The text comes from a contract, so it is quoted.
  return { reason: name === 'Error' ? showText(String(args.reason), 300) : reason, revertData: left }
}

function hasFailedItem(logs: unknown, { creditsContract }: RedeemKey): boolean {
  return (
    Array.isArray(logs) &&
    logs.some((log) => {
      const { address, topics } = Object(log)
      return isSame(address, creditsContract) && Array.isArray(topics) && isSame(topics[0], batchItemFailed)
    })
  )
}

/** `BatchItemFailed(uint256,bytes)` of the credits contract. */
const batchItemFailed = '0x6b44570b321021a4f65f9f00127d8aa9b12bca90451751f443387cb9b1de7c9a'

/** Runs a failed item of a batch alone. If it succeeds at the newest block, the service submits it again (PROTOCOL.md 6.5). */
async function askAlone(
  client: EvmClient,
  { wallet, nonce, creditsContract }: RedeemKey,
  batch: { from: unknown; data: Hex },
): Promise<Hex | undefined> {
  const item = itemsOf(batch.data).find((one) =>
    [wallet, nonce].every((part) => one.toLowerCase().includes(part.slice(2).toLowerCase())),
  )
  if (item === undefined) return undefined
  // An item is encoded as the argument of `redeem`.
  const call = { from: batch.from, to: creditsContract, data: `${redeemSelector}${item.slice(2)}` }
  const left = await askAgain(client, call)
  // `OrderUsed`: the service has submitted the item again, and it was redeemed.
  return left !== undefined && decodeRevert({ data: left }).name === 'OrderUsed' ? undefined : left
}

function itemsOf(data: Hex): readonly Hex[] {
  if (!data.startsWith(batchSelector)) return []
  const [items = []] = attempt(() => decodeValues([{ type: 'bytes[]' }], data.slice(10))) ?? []
  // bytes are returned as hex
  return items as Hex[]
}

/** `redeemBatch(bytes[] requests, uint256[] gasLimits)` of the credits contract. */
const batchSelector = '0xdc38cd27'

/** `redeem(RedeemRequest)` of the credits contract. */
const redeemSelector = '0x34c7e2e9'

const isSame = (value: unknown, expected: string) =>
  typeof value === 'string' && value.toLowerCase() === expected.toLowerCase()

/** Returns `undefined` if the call succeeds or the node returns no revert data. */
async function askAgain(client: EvmClient, call: object, block?: bigint): Promise<Hex | undefined> {
  let left: Hex | undefined
  await askNode(client, 'eth_call', [call, block === undefined ? 'latest' : toQuantity(block)], {
    ...asked,
    // A node without an archive cannot repeat the call, but the receipt already shows the revert.
    isAnswer: (error) => {
      left = revertDataOf(error) ?? (isRevert(error) ? '0x' : undefined)
      return true
    },
  })
  return left
}
