import type { Address, Hex } from 'viem'
import type { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { freeze } from '../../core/freeze.ts'
import { checkAddress } from '../checkAddress.ts'
import {
  checkChainId,
  checkKeys,
  checkText,
  type InvalidChainIdError,
  type InvalidTextError,
} from '../values.ts'
import { encodeAbiParameters, keccak256 } from '../viem.ts'

/** An EIP-712 domain with the four members that credits and USDC use. */
export type TypedDataDomain = {
  name: string
  version: string
  chainId: number
  /** The contract that checks the signature. */
  verifyingContract: Address
}

/** One member of an EIP-712 struct. */
export type TypedDataMember = { readonly name: string; readonly type: string }

/** The members of {@link TypedDataDomain}, in the order that its typehash has. */
export const domainMembers = /* @__PURE__ */ freeze([
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
] as const)

/**
 * Types of typed data as TypeScript sees them: `EIP712Domain` is there, for wallets and for other libraries, and only
 * left out of the type, because viem would then want `chainId` as a bigint, which JSON cannot carry.
 */
export type WithoutDomain<types> = Omit<types, 'EIP712Domain'>

/** Checks each member of a domain and returns it with a checksummed address. */
export function checkDomain(domain: unknown, field = 'domain'): TypedDataDomain {
  const record = checkKeys(domain, field, { required: ['name', 'version', 'chainId', 'verifyingContract'] })
  return {
    name: checkText(record.name, `${field}.name`),
    version: checkText(record.version, `${field}.version`),
    chainId: checkChainId(record.chainId, `${field}.chainId`),
    verifyingContract: checkAddress(record.verifyingContract, `${field}.verifyingContract`),
  }
}

export declare namespace checkDomain {
  type ErrorType = checkKeys.ErrorType | InvalidAddressError | InvalidChainIdError | InvalidTextError
}

/**
 * Returns `keccak256(abi.encode(…values))`. The caller has checked the values: viem rounds or pads some wrong ones.
 *
 * @param types Solidity types, separated by spaces: `'bytes32 address uint256'`
 */
export function hashAbiEncoded(types: string, values: readonly unknown[]): Hex {
  return keccak256(
    encodeAbiParameters(
      types.split(' ').map((type) => ({ type })),
      values,
    ),
  )
}
