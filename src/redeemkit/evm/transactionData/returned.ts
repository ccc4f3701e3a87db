import type { Abi, Address } from 'viem'
import type { Returned } from '../../schema/transactionData.ts'
import { checkNonZeroAddress } from '../values/checkAddress.ts'
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
 * Shape `returned`: the call returns the id of the token that it gave its caller, and that token goes on to the customer
 * (PROTOCOL.md 6). One token, if it arrived by this call.
 *
 * @param call `to` and `abi`, `functionName`, `args`; or `to` and `data`; and `nftContract`, where the tokens come
 * from, when that is not `to`
 * @throws InvalidCallError when the arguments do not fit the ABI or the function only reads; NativeValueError for a `value`; InvalidAddressError,
 * InvalidHexError, UnknownFieldError, MissingFieldError
 * @example
 * ```ts
 * import { returned } from 'redeemkit/evm'
 * import { parseAbi } from 'viem'
 * returned({
 *   to: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
 *   abi: parseAbi(['function buy(uint256 price) returns (uint256)']),
 *   functionName: 'buy',
 *   args: [10_000_000n],
 *   nftContract: '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512',
 * })
 * ```
 */
export function returned(call: RawCall & returned.Nft, options?: BuilderOptions): Returned
export function returned<const abi extends Abi | readonly unknown[], functionName extends CallableName<abi>>(
  call: TypedCall<abi, functionName> & returned.Nft,
  options?: BuilderOptions,
): Returned
export function returned(call: (RawCall | TypedCall) & returned.Nft, options: BuilderOptions = {}): Returned {
  const transaction = encodeCall(call)
  const { nftContract } = checkKeys(call, 'call', {
    required: ['to'],
    optional: ['data', 'abi', 'functionName', 'args', 'nftContract'],
  })
  return finish(
    {
      type: 'returned',
      transaction,
      ...(nftContract === undefined ? {} : { nftContract: checkNonZeroAddress(nftContract, 'nftContract') }),
    },
    options,
    call,
  )
}

export declare namespace returned {
  type Nft = {
    /** Where the tokens come from. Default: `to`. */
    nftContract?: Address | undefined
  }
  type Options = BuilderOptions
  type ErrorType = finish.ErrorType | InvalidCallError
}
