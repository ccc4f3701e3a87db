import type { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { textToBytes } from '../bytes/textToBytes.ts'
import { keccak256 } from '../keccak/keccak256.ts'
import { checkAddress } from '../values/checkAddress.ts'
import { checkChainId, type InvalidChainIdError } from '../values/checkChainId.ts'
import { checkKeys, checkRecord } from '../values/checkKeys.ts'
import { checkText, type InvalidTextError } from '../values/checkText.ts'
import type { TypedDataDomain } from './typedDataDomain.ts'
import { writeHex, writeUint } from './writeWord.ts'

/** keccak256 of `EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)`. */
const domainTypehash = '0x8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f'
const knownLimit = 256
const known = new Map<string, Uint8Array>()

/**
 * The EIP-712 domain separator of a domain, as 32 bytes. Computed once per domain.
 *
 * @throws InvalidTextError, InvalidChainIdError, InvalidAddressError, MissingFieldError, UnknownFieldError
 */
export function hashDomain(domain: TypedDataDomain): Uint8Array {
  checkRecord(domain, 'domain')
  const cached = known.get(keyOf(domain))
  if (cached !== undefined && Object.keys(domain).length === 4) return cached
  const checked = checkDomain(domain)
  const bytes = new Uint8Array(160)
  writeHex(bytes, 0, domainTypehash)
  bytes.set(keccak256(textToBytes(checked.name)), 32)
  bytes.set(keccak256(textToBytes(checked.version)), 64)
  writeUint(bytes, 3, BigInt(checked.chainId))
  writeHex(bytes, 4, checked.verifyingContract)
  const separator = keccak256(bytes)
  if (known.size >= knownLimit) known.clear()
  // Under what was hashed: an object may answer differently when it is read again.
  known.set(keyOf(checked), separator)
  return separator
}

export declare namespace hashDomain {
  type ErrorType = checkDomain.ErrorType
}

function keyOf({ name, version, chainId, verifyingContract }: Partial<TypedDataDomain>): string {
  return typeof name === 'string' &&
    typeof version === 'string' &&
    typeof chainId === 'number' &&
    typeof verifyingContract === 'string' &&
    // Fixed width, so that no member can reach into the next one.
    verifyingContract.length === 42
    ? `${chainId} ${verifyingContract} ${version.length} ${version}${name}`
    : ''
}

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
