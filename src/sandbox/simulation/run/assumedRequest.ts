import { type Hex, hexToBytes, keccak256 } from 'viem'
import { isBoundNonce, toOrderKey } from '../../../redeemkit/evm/creditPermit/orderKey.ts'
import { redeemIntentNonce } from '../../../redeemkit/evm/creditPermit/redeemIntentNonce.ts'
import { hashSettlement } from '../../../redeemkit/evm/creditPermit/settlementHash.ts'
import { noAuthorization, type RedeemRequest, usdcMethods } from '../call/redeemRequest.ts'

/** The same redeem as a wallet takes it that agrees to everything, with a permit that stays good. */
export function assumedRequest(request: RedeemRequest): RedeemRequest {
  const { permit, intent } = request
  return {
    ...request,
    permit: { ...permit, validBefore: farAway, signature: '0x' },
    usdcAuthorization:
      intent.usdcAmount === 0n ? noAuthorization : { method: usdcMethods.receiveV2, signature: '0x' },
  }
}

/** The same for another order: with another order key and salt. */
export function nextRequest(request: RedeemRequest, bridgeAdapter: Hex | undefined): RedeemRequest {
  const { permit, intent, settlement } = request
  const isBound = isBoundNonce(permit.nonce)
  const salt = isBound ? keccak256(intent.salt) : intent.salt
  const nonce: Hex = isBound
    ? redeemIntentNonce({
        orderKey: toOrderKey(hexToBytes(keccak256(permit.nonce))),
        customerWallet: permit.customerWallet,
        settlementHash: hashSettlement(settlement, { bridgeAdapter }),
        amount: intent.amount,
        usdcAmount: intent.usdcAmount,
        salt,
      })
    : unbound(keccak256(permit.nonce))
  return { ...request, permit: { ...permit, nonce }, intent: { ...intent, salt } }
}

/** Bit 255 tells a bound nonce. */
const unbound = (hash: Hex): Hex =>
  `0x${(Number.parseInt(hash.slice(2, 4), 16) & 0x7f).toString(16).padStart(2, '0')}${hash.slice(4)}`

/** Unix seconds. */
const farAway = 2n ** 47n
