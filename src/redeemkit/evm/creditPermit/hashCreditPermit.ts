import type { Hex } from 'viem'
import type { InvalidAmountError } from '../../core/amount/parseAmount.ts'
import { textToBytes } from '../bytes/textToBytes.ts'
import { hashDigest } from '../eip712/hashDigest.ts'
import { hashDomain } from '../eip712/hashDomain.ts'
import { writeHex, writeUint } from '../eip712/writeWord.ts'
import { keccak256 } from '../keccak/keccak256.ts'
import { checkAddress } from '../values/checkAddress.ts'
import { checkHex, type InvalidHexError } from '../values/checkHex.ts'
import { checkRecord } from '../values/checkKeys.ts'
import { checkText } from '../values/checkText.ts'
import { checkUint } from '../values/checkUint.ts'
import type { CreditPermit, CreditPermitDomain } from './creditPermit.ts'

/** keccak256 of the type string of `CreditsAuthorization` (PROTOCOL.md 3). */
const typehash = '0xc640b1397c8862ba581fdfb469fb434e0f862503d0e813de9bfb88abe49982ea'

/**
 * The EIP-712 digest of a credit permit: what the wallet signs and the contract checks.
 *
 * @returns 32 bytes
 * @throws InvalidAddressError, InvalidTextError, InvalidAmountError, InvalidHexError, InvalidChainIdError
 * @example
 * ```ts
 * import { hashCreditPermit } from 'redeemkit/evm'
 * hashCreditPermit({
 *   domain: { name: 'Credits', version: '1', chainId: 8453, verifyingContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3' },
 *   permit: {
 *     customerWallet: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
 *     creditSeed: 'my-shop',
 *     amount: 1_030_000n,
 *     validBefore: 1_800_000_000n,
 *     nonce: '0xb9371f3d684d45668c2446aed1963b73c9a1319707043caa4d50cc6f1323a38d',
 *   },
 * })
 * ```
 */
export function hashCreditPermit(options: hashCreditPermit.Options): Hex {
  checkRecord(options, 'options')
  const { domain, permit } = options
  checkRecord(permit, 'permit')
  const bytes = new Uint8Array(192)
  writeHex(bytes, 0, typehash)
  writeHex(bytes, 1, checkAddress(permit.customerWallet, 'permit.customerWallet'))
  bytes.set(keccak256(textToBytes(checkText(permit.creditSeed, 'permit.creditSeed'))), 64)
  writeUint(bytes, 3, checkUint(permit.amount, 'permit.amount'))
  writeUint(bytes, 4, checkUint(permit.validBefore, 'permit.validBefore'))
  writeHex(bytes, 5, checkHex(permit.nonce, 'permit.nonce', { bytes: 32 }))
  return hashDigest(hashDomain(domain), bytes)
}

export declare namespace hashCreditPermit {
  type Options = { domain: CreditPermitDomain; permit: CreditPermit }
  type ErrorType = hashDomain.ErrorType | InvalidAmountError | InvalidHexError
}
