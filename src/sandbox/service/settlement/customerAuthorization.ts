import type { Hex } from 'viem'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { checkAddress } from '../../../redeemkit/evm/checkAddress.ts'
import { hasCode } from '../../../redeemkit/evm/client.ts'
import { settlementHash } from '../../../redeemkit/evm/creditPermit/redeemIntentNonce.ts'
import {
  classifySignature,
  normalizeSignature,
  type SignatureInput,
} from '../../../redeemkit/evm/signature/normalizeSignature.ts'
import { paymentIntentNonce } from '../../../redeemkit/evm/usdcAuthorization/paymentIntentNonce.ts'
import { verifyUsdcAuthorization } from '../../../redeemkit/evm/usdcAuthorization/signUsdcAuthorization.ts'
import type {
  UsdcAuthorization,
  UsdcAuthorizationType,
} from '../../../redeemkit/evm/usdcAuthorization/usdcAuthorization.ts'
import { checkHex } from '../../../redeemkit/evm/values.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { readBridgeAdapter } from '../../contracts/creditsReads.ts'
import type { SettlementAuthorization } from '../../contracts/paymentSettlement.ts'
import { usdcMethods } from '../../simulation/redeemRequest.ts'
import type { PaymentRow } from '../payments/paymentRecord.ts'
import type { Service } from '../service.ts'
import { addressOf, outcomeOf, PaymentNotSettledError, type PaymentTerms, receiverOf } from './outcome.ts'

/** Returns the nonce that the customer's authorization must have (PROTOCOL.md 10.2). The payment must include order key and salt. */
export async function authorizationNonce(
  chain: EvmChain,
  { payment, creditSeed }: { payment: PaymentTerms; creditSeed: string },
): Promise<Hex> {
  const { customerUsdcTransferData, customerUsdcTransferDataV2, orderKey, salt } = payment.carried
  const authorization = customerUsdcTransferData ?? customerUsdcTransferDataV2
  if (authorization === undefined || orderKey === undefined || salt === undefined)
    throw new PaymentNotSettledError("The customer's USDC authorization lacks order key or salt.")
  const outcome = outcomeOf(payment)
  const shared = {
    orderKey,
    salt,
    customer: addressOf(payment.wallet, "the customer's wallet"),
    creditSeed,
    amount: outcome.amount,
    value: BigInt(authorization.value),
  }
  if (outcome.kind === 'execute') {
    const { transactionData } = outcome
    const bridgeAdapter = transactionData.type === 'decent' ? await readBridgeAdapter(chain) : undefined
    return paymentIntentNonce({
      ...shared,
      outcome: 'execute',
      settlementHash: settlementHash(transactionData, { bridgeAdapter }),
    })
  }
  return paymentIntentNonce({
    ...shared,
    outcome: outcome.kind === 'credits' ? 'mintCredits' : 'payUsdc',
    receiver: receiverOf(chain, outcome),
  })
}

/**
 * Checks that the customer's wallet signed the authorization, that it pays the settlement contract, and that its nonce commits to this
 * payment (PROTOCOL.md 10.2). A service with random nonces accepts any nonce and both types.
 */
export async function customerAuthorization(
  service: Pick<Service, 'kind'>,
  options: { chain: EvmChain & { paymentSettlement: Hex }; payment: PaymentRow; creditSeed: string },
): Promise<SettlementAuthorization> {
  const { chain, payment, creditSeed } = options
  const { customerUsdcTransferData: v1, customerUsdcTransferDataV2: v2, orderKey, salt } = payment.carried
  const given = v1 ?? v2
  if (given === undefined) return noAuthorization
  if (chain.usdc === undefined) throw refused(`USDC on ${chain.blockchain} has no authorizations`)
  const authorization: UsdcAuthorization = {
    from: checkAddress(given.from, 'from'),
    to: checkAddress(given.to, 'to'),
    value: BigInt(given.value),
    validAfter: BigInt(given.validAfter),
    validBefore: BigInt(given.validBefore),
    nonce: checkHex(given.nonce, 'nonce', { bytes: 32 }),
  }
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  if (from.toLowerCase() !== payment.wallet?.toLowerCase())
    throw refused(`it is from ${from}, not from the customer's wallet`)
  if (to.toLowerCase() !== chain.paymentSettlement.toLowerCase())
    throw refused(`it pays ${to}, but the settlement contract is ${chain.paymentSettlement}`)
  if (value === 0n) throw refused('its value is zero')
  const isIntentBound = service.kind === 'intentBound'
  if (isIntentBound && nonce.toLowerCase() !== (await authorizationNonce(chain, { payment, creditSeed })))
    throw refused('its nonce belongs to another payment')
  const signed = v1 === undefined ? v2?.signature : { r: v1.r, s: v1.s, v: v1.v }
  const { signature, type } = await readSignature(chain, {
    authorization,
    signed: signed ?? '0x',
    isV1: v1 !== undefined,
    types: isIntentBound
      ? ['ReceiveWithAuthorization']
      : ['ReceiveWithAuthorization', 'TransferWithAuthorization'],
  })
  const method =
    usdcMethods[`${type === 'ReceiveWithAuthorization' ? 'receive' : 'transfer'}${v1 ? 'V1' : 'V2'}`]
  const terms = { method, value, validAfter, validBefore, signature }
  // `RandomNoncePaymentSettlement` uses the salt as the nonce.
  if (!isIntentBound) return { ...terms, orderKey: noAuthorization.orderKey, salt: nonce }
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
  const isContract = await hasCode(chain.client, authorization.from)
  if (isV1 && isContract) throw refused('the wallet has code, so V2 is required')
  if (typeof signed === 'string' && classifySignature(signed) === 'erc6492')
    throw refused('the wallet is not deployed yet')
  let signature: Hex
  try {
    signature = normalizeSignature(signed, { hasCode: isContract })
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
  throw refused('this wallet did not sign it for these values')
}

function refused(why: string): PaymentNotSettledError {
  return new PaymentNotSettledError(`The customer's USDC was not collected: ${why}.`)
}
