import type { Abi, Address, Hex } from 'viem'
import { attempt } from '../../core/attempt.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import type { TransactionData } from '../../schema/transactionData.ts'
import { decodeFunctionData, encodeFunctionData } from '../viem.ts'
import {
  type Settlement,
  type SettlementKind,
  settlementKindOf,
  settlementOf,
  settlementShapes,
  shapeOf,
} from './settlementOf.ts'

/** A decoded `transactionData`. All shapes have the same fields. */
export type DecodedTransactionData = {
  kind: SettlementKind
  /** The called contract, or for `token` the receiver of the USDC. For `decent` it is on chain `bridge.dstChainId`. */
  to: Address
  data: Hex
  /** The first 4 bytes of `data`. Absent if `data` is empty. */
  selector?: Hex | undefined
  /** Present only if the caller passed an ABI with the called function. */
  functionName?: string | undefined
  args?: readonly unknown[] | undefined
  /** The NFT contract of the shapes `safeMint`, `returned` and `knownTokenId`. */
  nftContract?: Address | undefined
  nftId?: bigint | undefined
  bridge?: { dstChainId: number; dstToken: Address; isNative: boolean; cost: bigint } | undefined
  waitForHash?: boolean | undefined
}

/**
 * Decodes a `transactionData` record, and with an ABI also its call data.
 *
 * @param options.abi the ABI of the called contract. If it does not have the called function, `functionName` is absent
 * @throws {@link InvalidCallDataError} if the ABI has the function, but the bytes are not the exact encoding of its arguments;
 * the errors of `settlementOf` for a record of an unknown type
 * @example
 * ```ts
 * import { decodeTransactionData } from 'redeemkit/evm'
 * decodeTransactionData({ type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }).kind // 'token'
 * ```
 */
export function decodeTransactionData(
  transactionData: TransactionData,
  options: decodeTransactionData.Options = {},
): DecodedTransactionData {
  const { kind: number, target, data, nftContract, nftId, bridge } = settlementOf(transactionData)
  const { waitForHash } = transactionData
  const kind = settlementKindOf(number)
  const { does, nft } = settlementShapes[kind]
  return {
    kind,
    to: target,
    data,
    // a prefix of 0x-hex text is still `Hex`
    ...(data.length >= 10 ? { selector: data.slice(0, 10).toLowerCase() as Hex } : {}),
    ...(options.abi === undefined || data.length < 10 ? {} : decodeCall(options.abi, data)),
    ...(nft === 'none' ? {} : { nftContract }),
    ...(nft === 'token' ? { nftId } : {}),
    ...(does === 'bridge' ? { bridge: { ...bridge, dstChainId: Number(bridge.dstChainId) } } : {}),
    ...(waitForHash === undefined ? {} : { waitForHash }),
  }
}

export declare namespace decodeTransactionData {
  type Options = {
    /** ABI of the contract that is called. */
    abi?: Abi | readonly unknown[] | undefined
  }
  type ReturnType = DecodedTransactionData
  type ErrorType = settlementOf.ErrorType | InvalidCallDataError
}

function decodeCall(
  abi: Abi | readonly unknown[],
  data: Hex,
): { functionName?: string; args?: readonly unknown[] } {
  let decoded: { functionName: string; args?: readonly unknown[] | undefined }
  try {
    // viem accepts any array
    decoded = decodeFunctionData({ abi: abi as Abi, data })
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'AbiFunctionSignatureNotFoundError') return {}
    throw invalidCallData(cause)
  }
  const { functionName, args = [] } = decoded
  // if viem cannot choose between overloads, encoding throws, and the comparison is skipped
  const encoded = attempt(() => encodeFunctionData({ abi: abi as Abi, functionName, args }))
  if (
    encoded !== undefined &&
    encoded.slice(0, 10) === data.slice(0, 10).toLowerCase() &&
    encoded !== data.toLowerCase()
  )
    throw invalidCallData(undefined)
  return { functionName, args }
}

function invalidCallData(cause: unknown) {
  return new InvalidCallDataError('The call data is not the exact encoding of this function’s arguments.', {
    field: 'transactionData.transaction.data',
    fix: 'Check the ABI, and that the call data is complete.',
    cause,
  })
}

/** The call data is not the exact encoding of the function's arguments. */
export class InvalidCallDataError extends BaseError {
  override readonly name = 'InvalidCallDataError'
}

/** Returns a sentence without its end, the chain, such as "on Base". `amountText` is the maximum amount in dollars. */
export function describeTransactionData(transactionData: TransactionData, amountText: string): string {
  const settlement = settlementOf(transactionData)
  return texts[shapeOf(settlement).does](settlement, amountText)
}

export declare namespace describeTransactionData {
  type ErrorType = settlementOf.ErrorType
}

const texts: Record<
  (typeof settlementShapes)[SettlementKind]['does'],
  (settlement: Settlement, amountText: string) => string
> = {
  transfer: ({ target }, amountText) => `Sends ${amountText} USDC to ${target}`,
  call: ({ target, data }, amountText) =>
    `Calls ${target} (${data.slice(0, 10)}) with up to ${amountText} USDC`,
  bridge: ({ target, bridge }) =>
    `Calls ${target} on chain ${bridge.dstChainId} with ${bridge.cost} raw units of ${bridge.dstToken}`,
}
