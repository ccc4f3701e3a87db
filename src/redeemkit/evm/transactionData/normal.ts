import type { Abi } from 'viem'
import type { Normal } from '../../schema/transactionData.ts'
import { checkKeys } from '../values/checkKeys.ts'
import {
  type BuilderOptions,
  type CallableName,
  encodeCall,
  type InvalidCallError,
  type RawCall,
  type TypedCall,
} from './contractCall.ts'
import { finish } from './finish.ts'

/**
 * Shape `normal`: allows the contract the subtotal in USDC, calls it, and takes the allowance back (PROTOCOL.md
 * 6). Who receives what is inside the call.
 *
 * @param call `to` and `abi`, `functionName`, `args`; or `to` and `data`
 * @throws InvalidCallError when the arguments do not fit the ABI or the function only reads; NativeValueError for a `value`; InvalidAddressError,
 * InvalidHexError, UnknownFieldError, MissingFieldError
 * @example
 * ```ts
 * import { normal } from 'redeemkit/evm'
 * import { parseAbi } from 'viem'
 * normal({
 *   to: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
 *   abi: parseAbi(['function buy(address receiver, uint256 price)']),
 *   functionName: 'buy',
 *   args: ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', 10_000_000n],
 * })
 * ```
 */
export function normal(call: RawCall, options?: BuilderOptions): Normal
export function normal<const abi extends Abi | readonly unknown[], functionName extends CallableName<abi>>(
  call: TypedCall<abi, functionName>,
  options?: BuilderOptions,
): Normal
export function normal(call: RawCall | TypedCall, options: BuilderOptions = {}): Normal {
  const transaction = encodeCall(call)
  checkKeys(call, 'call', { required: ['to'], optional: ['data', 'abi', 'functionName', 'args'] })
  return finish({ transaction }, options, call)
}

export declare namespace normal {
  type Options = BuilderOptions
  type ErrorType = finish.ErrorType | InvalidCallError
}
