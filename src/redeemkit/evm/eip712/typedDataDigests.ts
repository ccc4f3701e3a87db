import type { InspectionDigests } from '../../core/inspection/inspection.ts'
import { concatHex, hashStruct, keccak256 } from '../viem.ts'
import type { TypedDataMember } from './typedData.ts'

/**
 * The digests of typed data that a wallet shows (ERC-8213); the EIP-712 digest is what is signed.
 *
 * @param typedData checked values, with `EIP712Domain` among the types
 */
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
