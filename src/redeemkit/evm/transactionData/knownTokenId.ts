import type { Abi, Address } from 'viem'
import type { KnownTokenId } from '../../schema/transactionData.ts'
import { checkNonZeroAddress } from '../values/checkAddress.ts'
import { checkKeys } from '../values/checkKeys.ts'
import { checkUint } from '../values/checkUint.ts'
import {
  type BuilderOptions,
  type CallableName,
  encodeCall,
  type InvalidCallError,
  type RawCall,
  type TypedCall,
} from './contractCall.ts'
import { finish } from './finish.ts'
import { parseNftId } from './settlementOf.ts'

/**
 * Shape "known token id": the call buys one token whose id is known beforehand, and it goes on to the customer
 * (PROTOCOL.md 6).
 *
 * @param call `to` and `abi`, `functionName`, `args`; or `to` and `data`; and `nftContract` with `nftId`: a bigint, or
 * decimal or 0x-hex text, kept as it is
 * @throws InvalidCallError when the arguments do not fit the ABI or the function only reads; NativeValueError for a `value`; InvalidAmountError for
 * a token id that is none; InvalidAddressError, InvalidHexError, UnknownFieldError, MissingFieldError
 * @example
 * ```ts
 * import { knownTokenId } from 'redeemkit/evm'
 * knownTokenId({
 *   to: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
 *   data: '0xcce7ec13',
 *   nftContract: '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512',
 *   nftId: 42n,
 * })
 * ```
 */
export function knownTokenId(call: RawCall & knownTokenId.Nft, options?: BuilderOptions): KnownTokenId
export function knownTokenId<
  const abi extends Abi | readonly unknown[],
  functionName extends CallableName<abi>,
>(call: TypedCall<abi, functionName> & knownTokenId.Nft, options?: BuilderOptions): KnownTokenId
export function knownTokenId(
  call: (RawCall | TypedCall) & knownTokenId.Nft,
  options: BuilderOptions = {},
): KnownTokenId {
  const transaction = encodeCall(call)
  const { nftContract, nftId } = checkKeys(call, 'call', {
    required: ['to', 'nftContract', 'nftId'],
    optional: ['data', 'abi', 'functionName', 'args'],
  })
  return finish(
    {
      transaction,
      nftContract: checkNonZeroAddress(nftContract, 'nftContract'),
      nftId: nftIdText(nftId),
    },
    options,
    call,
  )
}

export declare namespace knownTokenId {
  type Nft = {
    /** Where the token comes from. */
    nftContract: Address
    nftId: bigint | string
  }
  type Options = BuilderOptions
  type ErrorType = finish.ErrorType | InvalidCallError
}

function nftIdText(nftId: unknown): string {
  if (typeof nftId === 'bigint') return checkUint(nftId, 'nftId').toString()
  const id = parseNftId(nftId, 'nftId')
  return typeof nftId === 'string' ? nftId : id.toString()
}
