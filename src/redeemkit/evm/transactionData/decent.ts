import type { Abi, Address, Hex } from 'viem'
import type { Decent } from '../../schema/transactionData.ts'
import { checkAddress } from '../checkAddress.ts'
import { checkBoolean, checkChainId, checkKeys, checkUint } from '../values.ts'
import {
  type BuilderOptions,
  type CallArguments,
  type CallableName,
  encodeCall,
  finish,
  type InvalidCallError,
  type RawCall,
  type TypedCall,
} from './contractCall.ts'
import type { settlementOf } from './settlementOf.ts'

/**
 * Builds a `transactionData` of shape `decent`: the credits contract pays a bridge adapter, which calls a contract on another chain and
 * pays it `cost` there (PROTOCOL.md 6). If the call fails on that chain, the customer can claim the funds.
 *
 * @param call `contractAddress` on the destination chain, with `abi`, `functionName` and `args`, or with `contractData`;
 * `cost.amount` in raw units of `dstToken`, which is the zero address for the destination chain's native coin
 * @throws InvalidCallError if the arguments do not match the ABI or the function is view or pure; InvalidAmountError, InvalidChainIdError,
 * InvalidAddressError, InvalidHexError, UnknownFieldError, MissingFieldError
 * @example
 * ```ts
 * import { decent } from 'redeemkit/evm'
 * decent({
 *   dstChainId: 42161,
 *   dstToken: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
 *   contractAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
 *   contractData: '0xcce7ec13',
 *   cost: { isNative: false, amount: 10_000_000n },
 * })
 * ```
 */
export function decent(call: decent.Destination & { contractData: Hex }, options?: BuilderOptions): Decent
export function decent<const abi extends Abi | readonly unknown[], functionName extends CallableName<abi>>(
  call: decent.Destination & CallArguments<abi, functionName>,
  options?: BuilderOptions,
): Decent
export function decent(
  call: decent.Destination & ({ contractData: Hex } | CallArguments),
  options: BuilderOptions = {},
): Decent {
  const record = checkKeys(call, 'call', {
    required: ['dstChainId', 'dstToken', 'contractAddress', 'cost'],
    optional: ['contractData', 'abi', 'functionName', 'args'],
  })
  const { contractAddress, contractData, abi, functionName, args } = record
  // `encodeCall` checks these values
  const { to, data } = encodeCall(
    { to: contractAddress, data: contractData, abi, functionName, args } as RawCall | TypedCall,
    'contractData',
  )
  const { isNative, amount } = checkKeys(record.cost, 'cost', { required: ['isNative', 'amount'] })
  return finish(
    {
      type: 'decent',
      dstChainId: checkChainId(record.dstChainId, 'dstChainId'),
      dstToken: checkAddress(record.dstToken, 'dstToken'),
      contractAddress: to,
      contractData: data,
      cost: {
        isNative: checkBoolean(isNative, 'cost.isNative'),
        amount: checkUint(amount, 'cost.amount').toString(),
      },
    },
    options,
    call,
  )
}

export declare namespace decent {
  type Destination = {
    dstChainId: number
    /** Token of the cost on the destination chain; the zero address for that chain's native coin. */
    dstToken: Address
    contractAddress: Address
    cost: {
      isNative: boolean
      /** Raw units of `dstToken`. */
      amount: bigint
    }
  }
  type Options = BuilderOptions
  type ErrorType = settlementOf.ErrorType | InvalidCallError
}
