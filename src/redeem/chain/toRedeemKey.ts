import { checkAddress } from '../../evm/values/checkAddress.ts'
import { checkHex } from '../../evm/values/checkHex.ts'
import type { RedeemKey } from './lookUpRedeem.ts'

/**
 * Checks what a redeem is looked up by, and leaves out everything else.
 *
 * @throws InvalidAddressError, InvalidHexError
 */
export function toRedeemKey(key: RedeemKey): RedeemKey {
  return {
    wallet: checkAddress(key.wallet, 'wallet'),
    nonce: checkHex(key.nonce, 'nonce', { bytes: 32 }),
    creditsContract: checkAddress(key.creditsContract, 'creditsContract'),
  }
}
