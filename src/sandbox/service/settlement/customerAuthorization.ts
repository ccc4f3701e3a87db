import type { Hex } from 'viem'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { classifySignature } from '../../../redeemkit/evm/signature/classifySignature.ts'
import {
  normalizeSignature,
  type SignatureInput,
} from '../../../redeemkit/evm/signature/normalizeSignature.ts'
import type {
  UsdcAuthorization,
  UsdcAuthorizationType,
} from '../../../redeemkit/evm/usdcAuthorization/usdcAuthorization.ts'
import { verifyUsdcAuthorization } from '../../../redeemkit/evm/usdcAuthorization/verifyUsdcAuthorization.ts'
import { checkAddress } from '../../../redeemkit/evm/values/checkAddress.ts'
import { checkHex } from '../../../redeemkit/evm/values/checkHex.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import type { SettlementAuthorization } from '../../contracts/paymentSettlement.ts'
import { usdcMethods } from '../../simulation/redeemRequest.ts'
import type { PaymentRow } from '../payments/paymentRow.ts'
import type { Service } from '../service.ts'
import { authorizationNonce } from './authorizationNonce.ts'
import { PaymentNotSettledError } from './errors.ts'

/**
 * Returns the customer's USDC authorization of a payment as the contract takes it. It is signed by the customer's wallet, pays the
 * contract that settles payments, and its nonce stands for exactly this payment (PROTOCOL.md 10.2).
 *
 * A service with random nonces takes any nonce, and both types.
 *
 * @throws {@link PaymentNotSettledError} when it is not the customer's authorization for this payment
 */
export async function customerAuthorization(
  service: Pick<Service, 'kind'>,
  options: { chain: EvmChain & { paymentSettlement: Hex }; payment: PaymentRow; creditSeed: string },
): Promise<SettlementAuthorization> {
  const { chain, payment, creditSeed } = options
  const { customerUsdcTransferData: v1, customerUsdcTransferDataV2: v2, orderKey, salt } = payment.carried
  const given = v1 ?? v2
  if (given === undefined) return noAuthorization
  if (chain.usdc === undefined) throw refused(`there is none on ${chain.blockchain}`)
  const authorization: UsdcAuthorization = {
    from: checkAddress(given.from, 'from'),
    to: checkAddress(given.to, 'to'),
    value: BigInt(given.value),
    validAfter: BigInt(given.validAfter),
    validBefore: BigInt(given.validBefore),
    nonce: checkHex(given.nonce, 'nonce', { bytes: 32 }),
  }
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  if (from.toLowerCase() !== payment.wallet?.toLowerCase()) throw refused("it is not the customer's wallet's")
  if (to.toLowerCase() !== chain.paymentSettlement.toLowerCase())
    throw refused(`it pays ${to}, and the contract that settles payments is ${chain.paymentSettlement}`)
  if (value === 0n) throw refused('it is for nothing')
  const isBound = service.kind === 'bound'
  if (isBound && nonce.toLowerCase() !== (await authorizationNonce(chain, { payment, creditSeed })))
    throw refused('its nonce stands for another payment')
  const signed = v1 === undefined ? v2?.signature : { r: v1.r, s: v1.s, v: v1.v }
  const { signature, type } = await readSignature(chain, {
    authorization,
    signed: signed ?? '0x',
    isV1: v1 !== undefined,
    types: isBound ? ['ReceiveWithAuthorization'] : ['ReceiveWithAuthorization', 'TransferWithAuthorization'],
  })
  const method =
    usdcMethods[`${type === 'ReceiveWithAuthorization' ? 'receive' : 'transfer'}${v1 ? 'V1' : 'V2'}`]
  const terms = { method, value, validAfter, validBefore, signature }
  // `UnboundPaymentSettlement` takes the nonce as the salt.
  if (!isBound) return { ...terms, orderKey: noAuthorization.orderKey, salt: nonce }
  return { ...terms, orderKey: orderKey ?? noAuthorization.orderKey, salt: salt ?? noAuthorization.salt }
}

const noAuthorization: SettlementAuthorization = {
  method: usdcMethods.none,
  value: 0n,
  validAfter: 0n,
  validBefore: 0n,
  orderKey: `0x${'00'.repeat(12)}`,
  salt: `0x${'00'.repeat(32)}`,
  signature: '0x',
}

/** Finds which type was signed, and the bytes that the token takes. */
async function readSignature(
  chain: EvmChain,
  options: {
    authorization: UsdcAuthorization
    signed: SignatureInput
    isV1: boolean
    types: readonly UsdcAuthorizationType[]
  },
): Promise<{ signature: Hex; type: UsdcAuthorizationType }> {
  const { authorization, signed, isV1, types } = options
  const code = await chain.client.getCode({ address: authorization.from })
  const hasCode = code !== undefined && code !== '0x'
  if (isV1 && hasCode) throw refused('the wallet has code, so it has to come as V2')
  if (typeof signed === 'string' && classifySignature(signed) === 'erc6492')
    throw refused('the wallet is not deployed yet')
  let signature: Hex
  try {
    signature = normalizeSignature(signed, { hasCode })
  } catch (error) {
    if (error instanceof BaseError) throw refused('no key can have made its signature')
    throw error
  }
  for (const type of types) {
    const good = await verifyUsdcAuthorization({
      chainId: chain.chainId,
      type,
      authorization,
      signature,
      client: chain.client,
    })
    if (good) return { signature, type }
  }
  throw refused('it is not signed by this wallet over these values')
}

function refused(why: string): PaymentNotSettledError {
  return new PaymentNotSettledError(`The customer's USDC was not collected: ${why}.`)
}
