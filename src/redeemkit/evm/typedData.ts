import type { Address, Hex } from 'viem'
import type { InvalidAddressError } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'
import { freeze } from '../core/freeze.ts'
import type { InspectionDigests } from '../core/inspection/inspection.ts'
import { checkAddress } from './checkAddress.ts'
import {
  checkChainId,
  checkKeys,
  checkText,
  type InvalidChainIdError,
  type InvalidTextError,
} from './values.ts'
import { concatHex, hashStruct, keccak256 } from './viem.ts'

/** An EIP-712 domain with the four members that credits and USDC use. */
export type TypedDataDomain = {
  name: string
  version: string
  chainId: number
  /** The contract that verifies the signature. */
  verifyingContract: Address
}

/** One member of an EIP-712 struct. */
export type TypedDataMember = { readonly name: string; readonly type: string }

/** The members of {@link TypedDataDomain}, in typehash order. */
export const domainMembers = /* @__PURE__ */ freeze([
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
] as const)

/**
 * The EIP-712 types as TypeScript sees them, without `EIP712Domain`. The value does contain `EIP712Domain`, for wallets and other
 * libraries. With it in the type, viem would require `chainId` as a bigint, which JSON cannot represent.
 */
export type WithoutDomain<types> = Omit<types, 'EIP712Domain'>

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

/** Returns `keccak256(abi.encode(…values))`. `types` lists types of one 32-byte word each: `'bytes32 address uint256'`. */
export function hashAbiEncoded(types: string, values: readonly unknown[]): Hex {
  const words = types.split(' ').map((type, index) => wordOf(type, values[index]))
  return keccak256(`0x${words.join('')}`)
}

function wordOf(type: string, value: unknown): string {
  const digits = digitsOf(type, value)
  // every caller checks its values first, so an invalid value here is a bug in redeemkit
  if (digits === undefined) throw new TypeError(`${showValue(value)} is not a value of the type ${type}.`)
  return digits.padStart(64, '0')
}

function digitsOf(type: string, value: unknown): string | undefined {
  if (type === 'bool') return typeof value === 'boolean' ? `${Number(value)}` : undefined
  if (type === 'address' || type === 'bytes32') {
    const length = type === 'address' ? 40 : 64
    const isHex = typeof value === 'string' && value.length === length + 2 && /^0x[0-9a-fA-F]+$/.test(value)
    return isHex ? value.slice(2) : undefined
  }
  if (typeof value !== 'bigint' && !Number.isSafeInteger(value)) return undefined
  const number = BigInt(value as bigint | number) // only these two types pass the check above
  return number >= 0n && number >> BigInt(type.slice(4)) === 0n ? number.toString(16) : undefined
}

/** Returns the digests that wallets show (ERC-8213). Pass checked values, with `EIP712Domain` among the types. */
export function typedDataDigests(typedData: {
  domain: object
  types: object
  primaryType: string
  message: object
}): InspectionDigests {
  const { domain, primaryType, message } = typedData
  const types = typedData.types as Record<string, readonly TypedDataMember[]> // includes EIP712Domain
  const domainHash = hashStruct({ data: { ...domain }, primaryType: 'EIP712Domain', types })
  const messageHash = hashStruct({ data: { ...message }, primaryType, types })
  return { eip712: keccak256(concatHex(['0x1901', domainHash, messageHash])), domainHash, messageHash }
}
