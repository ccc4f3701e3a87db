import type { Abi, Address } from 'viem'
import type { SafeMint } from '../../schema/transactionData.ts'
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
 * Shape `safeMint`: the call mints to its caller, and what arrives during the call goes on to the customer
 * (PROTOCOL.md 6). ERC-721 or ERC-1155 tokens, 1 to 16, through a receiver hook.
 *
 * @param call `to` and `abi`, `functionName`, `args`; or `to` and `data`; and `nftContract`, where the tokens come
 * from, when that is not `to`
 * @throws InvalidCallError when the arguments do not fit the ABI or the function only reads; NativeValueError for a `value`; InvalidAddressError,
 * InvalidHexError, UnknownFieldError, MissingFieldError
 * @example
 * ```ts
 * import { safeMint } from 'redeemkit/evm'
 * import { parseAbi } from 'viem'
 * safeMint({
 *   to: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
 *   abi: parseAbi(['function buy(uint256 price) returns (uint256)']),
 *   functionName: 'buy',
 *   args: [10_000_000n],
 *   nftContract: '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512',
 * })
 * ```
 */
export function safeMint(call: RawCall & safeMint.Nft, options?: BuilderOptions): SafeMint
export function safeMint<const abi extends Abi | readonly unknown[], functionName extends CallableName<abi>>(
  call: TypedCall<abi, functionName> & safeMint.Nft,
  options?: BuilderOptions,
): SafeMint
export function safeMint(call: (RawCall | TypedCall) & safeMint.Nft, options: BuilderOptions = {}): SafeMint {
  const transaction = encodeCall(call)
  const { nftContract } = checkKeys(call, 'call', {
    required: ['to'],
    optional: ['data', 'abi', 'functionName', 'args', 'nftContract'],
  })
  return finish(
    {
      type: 'safeMint',
      transaction,
      ...(nftContract === undefined ? {} : { nftContract: checkNonZeroAddress(nftContract, 'nftContract') }),
    },
    options,
    call,
  )
}

export declare namespace safeMint {
  type Nft = {
    /** Where the tokens come from. Default: `to`. */
    nftContract?: Address | undefined
  }
  type Options = BuilderOptions
  type ErrorType = finish.ErrorType | InvalidCallError
}
