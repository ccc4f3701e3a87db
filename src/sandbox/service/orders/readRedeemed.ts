import { decodeEventLog, encodeEventTopics, getAbiItem, getAddress, type Hex, isHex, type Log } from 'viem'
import { creditsAbi } from '../../../../contracts/generated/Credits.ts'
import type { EvmChain } from '../../chains/evmChain.ts'

/** What a `Redeemed` event of a credits contract says (PROTOCOL.md 6.6). Amounts in raw units. */
export type RedeemedEvent = {
  wallet: Hex
  /** 12 bytes. */
  orderKey: Hex
  creditSeedHash: Hex
  nonce: Hex
  /** Number of the settlement's kind. */
  kind: number
  /** The settlement's target. */
  receiver: Hex
  amount: bigint
  usdcAmount: bigint
  /** Credits that were taken, the gas fee included. */
  charged: bigint
  refunded: bigint
  gasFee: bigint
  hash: Hex
  blockNumber: bigint
  blockHash: Hex
  logIndex: number
}

/** Reads the `Redeemed` events of a chain's credits contract in a range of blocks, oldest first. */
export async function readRedeemed(
  { client, creditsContract }: Pick<EvmChain, 'client' | 'creditsContract'>,
  options: { fromBlock: bigint; toBlock: bigint; wallet?: Hex; orderKey?: Hex },
): Promise<RedeemedEvent[]> {
  const { fromBlock, toBlock, wallet, orderKey } = options
  const topics = encodeEventTopics({
    abi: [redeemed],
    args: { ...(wallet && { customerWallet: wallet }), ...(orderKey && { orderKey }) },
  })
  const logs = await client.request({
    method: 'eth_getLogs',
    params: [
      {
        address: creditsContract,
        topics,
        fromBlock: `0x${fromBlock.toString(16)}`,
        toBlock: `0x${toBlock.toString(16)}`,
      },
    ],
  })
  return logs
    .filter((log) => log.removed !== true && isHex(log.blockHash) && isHex(log.transactionHash))
    .map(decodeRedeemed)
    .sort((one, other) => Number(one.blockNumber - other.blockNumber) || one.logIndex - other.logIndex)
}

const redeemed = getAbiItem({ abi: creditsAbi, name: 'Redeemed' })

type MinedLog = Pick<
  Log<Hex, Hex>,
  'blockHash' | 'blockNumber' | 'data' | 'logIndex' | 'topics' | 'transactionHash'
>

function decodeRedeemed(log: MinedLog): RedeemedEvent {
  const { args } = decodeEventLog({ abi: [redeemed], data: log.data, topics: log.topics })
  const { kindAndTarget, amounts, refundedAndGasFee } = args
  const [amount, usdcAmount] = halves(amounts)
  const [refunded, gasFee] = halves(refundedAndGasFee)
  return {
    wallet: args.customerWallet,
    orderKey: args.orderKey.toLowerCase() as Hex, // as decoded
    creditSeedHash: args.creditSeedHash.toLowerCase() as Hex, // as decoded
    nonce: args.nonce.toLowerCase() as Hex, // as decoded
    kind: Number(kindAndTarget >> 160n),
    receiver: getAddress(`0x${(kindAndTarget & (2n ** 160n - 1n)).toString(16).padStart(40, '0')}`),
    amount,
    usdcAmount,
    charged: amount - usdcAmount + gasFee,
    refunded,
    gasFee,
    hash: log.transactionHash as Hex, // a mined log has one
    blockNumber: BigInt(log.blockNumber as Hex), // a mined log has one
    blockHash: log.blockHash as Hex, // a mined log has one
    logIndex: Number(log.logIndex),
  }
}

const halves = (word: bigint): [bigint, bigint] => [word >> 128n, word & (2n ** 128n - 1n)]
