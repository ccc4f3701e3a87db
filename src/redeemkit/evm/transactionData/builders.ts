import type { Abi, Address, Hex } from 'viem'
import type { Decent, KnownTokenId, Normal, Returned, SafeMint, Token } from '../../schema/transactionData.ts'
import { checkAddress, checkNonZeroAddress } from '../checkAddress.ts'
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
import { parseNftId, type settlementOf } from './settlementOf.ts'

/**
 * Builds a `transactionData` of shape `normal`: the credits contract approves the subtotal in USDC for `to`, calls `to`, and revokes the
 * approval (PROTOCOL.md 6). The receiver of the goods is an argument of the call.
 *
 * @param call `to` with `abi`, `functionName` and `args`, or `to` with `data`
 * @throws InvalidCallError if the arguments do not match the ABI or the function is view or pure; NativeValueError for a `value`;
 * InvalidAddressError, InvalidHexError, UnknownFieldError, MissingFieldError
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
  type ErrorType = settlementOf.ErrorType | InvalidCallError
}

/**
 * Builds a `transactionData` of shape `safeMint`: the call mints 1 to 16 ERC-721 or ERC-1155 tokens to its caller, the credits contract,
 * which receives them in its receiver hook and forwards them to the customer (PROTOCOL.md 6).
 *
 * @param call `to` with `abi`, `functionName` and `args`, or `to` with `data`. Also pass `nftContract` if it is not `to`
 * @throws the errors of {@link normal}
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
  return finish({ type: 'safeMint', ...nftCall(call) }, options, call)
}

export declare namespace safeMint {
  type Nft = {
    /** The NFT contract. Default: `to`. */
    nftContract?: Address | undefined
  }
  type Options = BuilderOptions
  type ErrorType = settlementOf.ErrorType | InvalidCallError
}

/**
 * Builds a `transactionData` of shape `returned`: the call transfers one token to its caller, the credits contract, and returns the token's
 * id. The credits contract forwards the token to the customer (PROTOCOL.md 6).
 *
 * @param call `to` with `abi`, `functionName` and `args`, or `to` with `data`. Also pass `nftContract` if it is not `to`
 * @throws the errors of {@link normal}
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
  return finish({ type: 'returned', ...nftCall(call) }, options, call)
}

export declare namespace returned {
  type Nft = safeMint.Nft
  type Options = BuilderOptions
  type ErrorType = settlementOf.ErrorType | InvalidCallError
}

function nftCall(call: (RawCall | TypedCall) & safeMint.Nft) {
  const transaction = encodeCall(call)
  const { nftContract } = checkKeys(call, 'call', {
    required: ['to'],
    optional: ['data', 'abi', 'functionName', 'args', 'nftContract'],
  })
  return {
    transaction,
    ...(nftContract === undefined ? {} : { nftContract: checkNonZeroAddress(nftContract, 'nftContract') }),
  }
}

/**
 * Builds a `transactionData` of shape `knownTokenId`: the call buys one token whose id is known in advance. The credits contract forwards
 * the token to the customer (PROTOCOL.md 6).
 *
 * @param call `to` with `abi`, `functionName` and `args`, or `to` with `data`. Also `nftContract` and `nftId`. `nftId` is a bigint, or
 * decimal or 0x-hex text, which the record contains unchanged
 * @throws the errors of {@link normal}; InvalidAmountError for an invalid token id
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
    /** The NFT contract. */
    nftContract: Address
    nftId: bigint | string
  }
  type Options = BuilderOptions
  type ErrorType = settlementOf.ErrorType | InvalidCallError
}

function nftIdText(nftId: unknown): string {
  if (typeof nftId === 'bigint') return checkUint(nftId, 'nftId').toString()
  const id = parseNftId(nftId, 'nftId')
  return typeof nftId === 'string' ? nftId : id.toString()
}

/**
 * Builds a `transactionData` of shape `token`: the credits contract pays the subtotal in USDC to an address (PROTOCOL.md 6).
 *
 * @param call.destination the receiver; must not be the zero address, USDC, or the credits contract
 * @throws InvalidAddressError, UnknownFieldError, MissingFieldError
 * @example
 * ```ts
 * import { token } from 'redeemkit/evm'
 * token({ destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' })
 * ```
 */
export function token(call: token.Call, options: BuilderOptions = {}): Token {
  checkKeys(call, 'call', { required: ['destination'] })
  return finish({ type: 'token', destination: checkNonZeroAddress(call.destination, 'destination') }, options)
}

export declare namespace token {
  type Call = { destination: Address }
  type Options = BuilderOptions
  type ErrorType = settlementOf.ErrorType
}

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
