import type { Hex } from 'viem'
import { hexToBytes } from '../../../redeemkit/evm/bytes/hexToBytes.ts'
import { toOrderKey } from '../../../redeemkit/evm/creditPermit/orderKey.ts'
import { redeemIntentNonce } from '../../../redeemkit/evm/creditPermit/redeemIntentNonce.ts'
import { settlementHash } from '../../../redeemkit/evm/creditPermit/settlementHash.ts'
import { signCreditPermit } from '../../../redeemkit/evm/creditPermit/signCreditPermit.ts'
import type { EvmSigner } from '../../../redeemkit/evm/signer/evmSigner.ts'
import { settlementOf } from '../../../redeemkit/evm/transactionData/settlementOf.ts'
import { signUsdcAuthorization } from '../../../redeemkit/evm/usdcAuthorization/signUsdcAuthorization.ts'
import type { TransactionData } from '../../../redeemkit/schema/transactionData.ts'
import {
  assumedRequest,
  type RedeemRequest,
  redeemRequest,
  usdcMethods,
} from '../../simulation/redeemRequest.ts'

/**
 * A redeem as the credits contract takes it, without a gas fee: signed, or, without a signer, as a wallet takes it that is played by code
 * that agrees to everything.
 */
export async function forkRequest(
  chain: { chainId: number; creditsContract: Hex; creditSeed: string; bridgeAdapter?: Hex | undefined },
  options: forkRequest.Options,
): Promise<RedeemRequest> {
  const { chainId, creditsContract, creditSeed, bridgeAdapter } = chain
  const { signer, wallet, transactionData, amount, usdcAmount = 0n, salt, time } = options
  const intent = { settlement: settlementOf(transactionData), amount, usdcAmount }
  const nonce = redeemIntentNonce({
    // Each salt is an order of its own.
    orderKey: toOrderKey(hexToBytes(salt)),
    customerWallet: wallet,
    settlementHash: settlementHash(transactionData, { bridgeAdapter }),
    amount,
    usdcAmount,
    salt,
  })
  // The chain's clock, which a test may have moved.
  const now = () => Number(time) * 1000
  const validBefore = time + validForSeconds
  const permit = { customerWallet: wallet, creditSeed, amount: amount - usdcAmount, validBefore, nonce }
  if (signer === undefined) {
    const signature = '0x'
    return assumedRequest(redeemRequest({ permit, signature, salt, intent, gasFee: 0n }))
  }
  const signature = await signCreditPermit(signer, {
    domain: { name: 'Credits', version: '1', chainId, verifyingContract: creditsContract },
    permit,
    now,
  })
  if (usdcAmount === 0n) return redeemRequest({ permit, signature, salt, intent, gasFee: 0n })
  const authorization = {
    from: wallet,
    to: creditsContract,
    value: usdcAmount,
    validAfter: 0n,
    validBefore,
    nonce,
  }
  const type = 'ReceiveWithAuthorization'
  const usdcAuthorization = {
    method: usdcMethods.receiveV2,
    signature: await signUsdcAuthorization(signer, { chainId, type, authorization, now }),
  }
  return redeemRequest({ permit, signature, salt, intent, usdcAuthorization, gasFee: 0n })
}

export declare namespace forkRequest {
  type Options = {
    signer: EvmSigner | undefined
    wallet: Hex
    transactionData: TransactionData
    amount: bigint
    usdcAmount?: bigint | undefined
    salt: Hex
    /** Unix seconds, by the chain's clock. */
    time: bigint
  }
  type ErrorType =
    | signCreditPermit.ErrorType
    | signUsdcAuthorization.ErrorType
    | redeemIntentNonce.ErrorType
    | settlementOf.ErrorType
}

const validForSeconds = 600n
