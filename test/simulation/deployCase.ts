import { type Abi, encodeFunctionData, type Hex } from 'viem'
import type { TransactionData } from '../../src/redeemkit/schema/index.ts'
import { type Stage, wallet } from './startStage.ts'

/** Price of every contract of `verdicts.json`. */
export const amount = 10_000_000n

/** Deploys and whitelists a contract of `verdicts.json` with its goods. */
export async function deployCase(
  stage: Stage,
  { contract, shape }: { contract: string; shape: string },
): Promise<{ abi: Abi; transactionData: TransactionData }> {
  const merchant = await stage.deploy(contract)
  await stage.allow(merchant.address)
  if (contract === 'KnownTokenIdMerchant')
    await stage.rpc.send({
      from: wallet,
      to: merchant.address,
      data: encodeFunctionData({ abi: merchant.abi, functionName: 'list', args: [5n, amount] }),
    })
  return { abi: merchant.abi, transactionData: transactionData(merchant, contract, shape) }
}

/** The called function; most have `buy(customer, price)`. */
const calls: Readonly<Record<string, [name: string, ...args: unknown[]]>> = {
  SafeMintMerchant721: ['mint', 2n, amount],
  SafeMintMerchant1155: ['mint', 7n, 3n, amount],
  ReturnedMerchant: ['mint', amount],
  MintsWithoutHook: ['mint', amount],
  ReturnsNoId: ['mint', amount],
  KnownTokenIdMerchant: ['buy', 5n],
  WrongNftId: ['buy', 5n],
}

function transactionData(
  merchant: { address: Hex; abi: Abi },
  contract: string,
  shape: string,
): TransactionData {
  const [functionName, ...args] = calls[contract] ?? ['buy', wallet, amount]
  const transaction = {
    to: merchant.address,
    data: encodeFunctionData({ abi: contract === 'Upgradeable' ? buyAbi : merchant.abi, functionName, args }),
  }
  if (shape === 'knownTokenId') return { transaction, nftContract: merchant.address, nftId: '5' }
  // the two types with a `type` field
  return shape === 'normal' ? { transaction } : { type: shape as 'safeMint' | 'returned', transaction }
}

const buyAbi: Abi = [
  {
    type: 'function',
    name: 'buy',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'receiver', type: 'address' },
      { name: 'price', type: 'uint256' },
    ],
    outputs: [],
  },
]
