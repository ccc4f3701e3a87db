import {
  decodeAbiParameters,
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionData,
  getAbiItem,
  type Hex,
  prepareEncodeFunctionData,
} from 'viem'
import { creditsAbi } from '../../../contracts/generated/Credits.ts'
import type { ContractCall, RedeemRequest } from '../simulation/redeemRequest.ts'

type Deployed = { creditsContract: Hex }

export function redeemBatchCall(
  chain: Deployed,
  items: readonly { request: RedeemRequest; gas: bigint }[],
): ContractCall {
  return {
    to: chain.creditsContract,
    data: encodeFunctionData({
      ...redeemBatchFunction,
      args: [
        items.map(({ request }) => encodeAbiParameters([requestParameter], [request])),
        items.map(({ gas }) => gas),
      ],
    }),
  }
}

export function requestsOfBatch(data: Hex): RedeemRequest[] {
  const { functionName, args } = decodeFunctionData({ abi: creditsAbi, data })
  if (functionName !== 'redeemBatch') return []
  return args[0].map((item) => decodeAbiParameters([requestParameter], item)[0])
}

/** Prepared once, because the selector never changes. */
const redeemBatchFunction = prepareEncodeFunctionData({ abi: creditsAbi, functionName: 'redeemBatch' })

const requestParameter = getAbiItem({ abi: creditsAbi, name: 'redeem' }).inputs[0]

/** `Credits.mint`, backed by the sender's USDC, or `Credits.burn`, which pays the backing USDC to the wallet. */
export function supplyCall(
  chain: Deployed,
  functionName: 'mint' | 'burn',
  { creditSeed, wallet, amount }: { creditSeed: string; wallet: Hex; amount: bigint },
): ContractCall {
  return {
    to: chain.creditsContract,
    data: encodeFunctionData({ abi: creditsAbi, functionName, args: [creditSeed, wallet, amount] }),
  }
}

/** Without a selector, the entry covers every function of the target. */
export function setWhitelistCall(
  chain: Deployed,
  entry: {
    creditSeed: string
    chainId: number
    target: Hex
    selector?: Hex | undefined
    allowed: boolean
    minimumGas: bigint
  },
): ContractCall {
  const { creditSeed, chainId, target, selector, allowed, minimumGas } = entry
  return {
    to: chain.creditsContract,
    data: encodeFunctionData({
      abi: creditsAbi,
      functionName: 'setWhitelist',
      args: [
        creditSeed,
        BigInt(chainId),
        target,
        selector ?? '0x00000000',
        selector === undefined,
        allowed,
        minimumGas,
      ],
    }),
  }
}
