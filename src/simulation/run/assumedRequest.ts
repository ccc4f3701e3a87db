import { type Hex, keccak256 } from 'viem'
import { isBoundNonce } from '../../evm/creditPermit/isBoundNonce.ts'
import { redeemIntentNonce } from '../../evm/creditPermit/redeemIntentNonce.ts'
import { hashSettlement } from '../../evm/creditPermit/settlementHash.ts'
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

/** The same once more: with another salt, and so with another nonce. */
export function nextRequest(request: RedeemRequest): RedeemRequest {
  const { permit, intent, settlement } = request
  const isBound = isBoundNonce(permit.nonce)
  const salt = isBound ? keccak256(intent.salt) : intent.salt
  const nonce: Hex = isBound
    ? redeemIntentNonce({
        customerWallet: permit.customerWallet,
        settlementHash: hashSettlement(settlement),
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
