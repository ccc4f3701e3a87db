import type { Abi, Hex } from 'viem'
import { type SettlementKind, settlementKindOf } from '../../evm/transactionData/settlementKinds.ts'
import { describeCall } from '../../simulation/abi/describeCall.ts'
import { describeRevert } from '../../simulation/abi/describeRevert.ts'
import { readRedeems } from '../../simulation/call/readRedeems.ts'
import type { RedeemRequest } from '../../simulation/call/redeemRequest.ts'

/** What bytes say, as call data and as a revert; nothing of it when no ABI knows them. */
export type DescribedBytes = {
  /** The redeems in it, in their order. */
  redeems?: readonly DescribedRedeem[] | undefined
  /** `buy(address receiver = 0x…, uint256 price = 10000000)` */
  call?: string | undefined
  /** `SoldOut: limit 5` */
  revert?: string | undefined
}

/** Amounts in raw units of USDC. */
export type DescribedRedeem = {
  /** `undefined` for a number that is none. */
  shape: SettlementKind | undefined
  wallet: Hex
  creditSeed: string
  amount: bigint
  usdcAmount: bigint
  gasFee: bigint
  target: Hex
  /** What the target is called with, as far as it is known. */
  call: string | undefined
  nftContract: Hex | undefined
  nftId: bigint | undefined
  /** Of a decent redeem: where the target is called. */
  dstChainId: bigint | undefined
  /** Unix seconds. */
  validBefore: bigint
  nonce: Hex
}

/** Says what call data of a redeem, of any other call, or the data of a revert says. */
export function describeBytes(data: Hex, abis: readonly Abi[]): DescribedBytes {
  const redeems = readRedeems(data).flatMap((request) =>
    request === undefined ? [] : [describeRedeem(request, abis)],
  )
  if (redeems.length > 0) return { redeems }
  const { name, reason } = describeRevert(data, abis)
  return {
    call: describeCall(data, abis)?.text,
    revert: name === undefined && data !== '0x' ? undefined : reason,
  }
}

function describeRedeem(
  { permit, intent, settlement, gasFee }: RedeemRequest,
  abis: readonly Abi[],
): DescribedRedeem {
  const { target, data, nftContract, nftId, bridge } = settlement
  const shape = settlementKindOf(settlement.kind)
  return {
    shape,
    wallet: permit.customerWallet,
    creditSeed: permit.creditSeed,
    amount: intent.amount,
    usdcAmount: intent.usdcAmount,
    gasFee,
    target,
    call: shape === 'token' ? undefined : (describeCall(data, abis)?.text ?? data.slice(0, 10)),
    nftContract: /^0x0+$/.test(nftContract) ? undefined : nftContract,
    nftId: shape === 'knownTokenId' ? nftId : undefined,
    dstChainId: shape === 'decent' ? bridge.dstChainId : undefined,
    validBefore: permit.validBefore,
    nonce: permit.nonce,
  }
}
