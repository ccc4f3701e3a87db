import type { Address, Hex } from 'viem'
import { checkOptions } from '../../core/checkOptions.ts'
import type { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { checkAddress } from '../../evm/values/checkAddress.ts'
import { checkHex, type InvalidHexError } from '../../evm/values/checkHex.ts'
import { keccak256 } from '../../evm/viem.ts'

/**
 * What an access key signs in the place of `digest`: `keccak256(0x04 ‖ digest ‖ account)`. The account is inside, so a
 * signature made for one account is worth nothing for another that trusts the same key.
 *
 * @param options.digest 32 bytes: what the account itself would sign
 * @param options.account the account that the access key acts for
 * @throws {@link InvalidHexError} {@link InvalidAddressError} when they are not
 * @see Tempo Transactions, "Keychain V2"
 * @example
 * ```ts
 * import { keychainDigest } from 'redeemkit/tempo'
 * keychainDigest({
 *   digest: '0x3caf17f85e96e489a081eab08cdc14794d8725d4356ef252fc98de3c65e03225',
 *   account: '0x480F8659821A7a5f6209cDA338A53E9Dea09DB46',
 * })
 * ```
 */
export function keychainDigest(options: keychainDigest.Options): Hex {
  checkOptions(options, { digest: 'any', account: 'any' })
  const digest = checkHex(options.digest, 'digest', { bytes: 32 })
  const account = checkAddress(options.account, 'account')
  return keccak256(`0x04${digest.slice(2)}${account.slice(2)}`)
}

export declare namespace keychainDigest {
  type Options = { digest: Hex; account: Address }
  type ErrorType = checkOptions.ErrorType | InvalidAddressError | InvalidHexError
}
