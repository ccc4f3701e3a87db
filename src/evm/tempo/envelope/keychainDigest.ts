import { type Address, concatHex, type Hex, keccak256 } from 'viem'

/**
 * What an access key signs in the place of `digest`: `keccak256(0x04 ‖ digest ‖ account)`. The account is inside, so a
 * signature made for one account is worth nothing for another that trusts the same key.
 *
 * @param options.digest 32 bytes: what the account itself would sign
 * @param options.account the account that the access key acts for
 * @see Tempo Transactions, "Keychain V2"
 * @example
 * ```ts
 * import { keychainDigest } from 'redeemkit/evm'
 * keychainDigest({
 *   digest: '0x3caf17f85e96e489a081eab08cdc14794d8725d4356ef252fc98de3c65e03225',
 *   account: '0x480F8659821A7a5f6209cDA338A53E9Dea09DB46',
 * })
 * ```
 */
export function keychainDigest(options: keychainDigest.Options): Hex {
  return keccak256(concatHex(['0x04', options.digest, options.account]))
}

export declare namespace keychainDigest {
  type Options = { digest: Hex; account: Address }
}
