import {
  type Chain,
  type ContractFunctionArgs,
  encodeFunctionData,
  erc721Abi,
  type Hex,
  keccak256,
  type PublicClient,
  parseEventLogs,
  stringToHex,
  type Transport,
} from 'viem'
import { paymentSettlementAbi } from '../../../contracts/generated/PaymentSettlement.ts'
import { sameHex } from '../../redeemkit/evm/values.ts'
import type { ContractCall } from '../simulation/redeemRequest.ts'
import { revertDataOf } from './revert.ts'

export type SettlementPayment = ContractFunctionArgs<typeof paymentSettlementAbi, 'nonpayable', 'settle'>[0]

export type SettlementAuthorization = SettlementPayment['authorization']

type Deployed = { paymentSettlement: Hex; client: PublicClient<Transport, Chain> }

export function settlementId(paymentId: string): Hex {
  return keccak256(stringToHex(paymentId))
}

export function settleCall(
  { paymentSettlement }: Pick<Deployed, 'paymentSettlement'>,
  payment: SettlementPayment,
): ContractCall {
  return {
    to: paymentSettlement,
    data: encodeFunctionData({ abi: paymentSettlementAbi, functionName: 'settle', args: [payment] }),
  }
}

export function readOrderPaid(
  { paymentSettlement, client }: Deployed,
  { customer, orderKey }: { customer: Hex; orderKey: Hex },
): Promise<boolean> {
  return client.readContract({
    address: paymentSettlement,
    abi: paymentSettlementAbi,
    functionName: 'orderPaid',
    args: [customer, orderKey],
  })
}

/** The address of a customer's escrow, which receives the tokens that settlements deliver. */
export function readEscrow({ paymentSettlement, client }: Deployed, customer: Hex): Promise<Hex> {
  return client.readContract({
    address: paymentSettlement,
    abi: paymentSettlementAbi,
    functionName: 'escrowOf',
    args: [customer],
  })
}

export async function findSettled(
  { paymentSettlement, client }: Deployed,
  options: { id: Hex; fromBlock: bigint },
): Promise<Hex | undefined> {
  const [log] = await client.getContractEvents({
    address: paymentSettlement,
    abi: paymentSettlementAbi,
    eventName: 'PaymentSettled',
    args: { id: options.id },
    fromBlock: options.fromBlock,
    toBlock: 'latest',
  })
  return log?.transactionHash
}

/** Returns, in order, the ERC-721 tokens that a call would transfer to an escrow, or undefined if the call would fail. */
export async function arrivingTokens(
  { client }: Pick<Deployed, 'client'>,
  options: { call: ContractCall; account: Hex; nftContract: Hex; escrow: Hex },
): Promise<bigint[] | undefined> {
  const { call, account, nftContract, escrow } = options
  const [block] = await client
    .simulateBlocks({ blocks: [{ calls: [{ ...call, account }] }] })
    .catch((error: unknown) => {
      if (revertDataOf(error) === undefined) throw error
      return []
    })
  const result = block?.calls[0]
  if (result?.status !== 'success') return undefined
  return parseEventLogs({ abi: erc721Abi, eventName: 'Transfer', logs: result.logs ?? [] })
    .filter(({ address, args }) => sameHex(address, nftContract) && sameHex(args.to, escrow))
    .map(({ args }) => args.tokenId)
}
