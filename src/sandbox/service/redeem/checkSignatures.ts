import { type Hex, serializeErc6492Signature } from 'viem'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { hasCode } from '../../../redeemkit/evm/client.ts'
import type { CreditPermit, CreditPermitDomain } from '../../../redeemkit/evm/creditPermit/creditPermit.ts'
import { verifyCreditPermit } from '../../../redeemkit/evm/creditPermit/signCreditPermit.ts'
import { isTempoChain } from '../../../redeemkit/evm/networks.ts'
import {
  classifySignature,
  normalizeSignature,
  unwrapErc6492,
} from '../../../redeemkit/evm/signature/normalizeSignature.ts'
import { verifyUsdcAuthorization } from '../../../redeemkit/evm/usdcAuthorization/signUsdcAuthorization.ts'
import type {
  UsdcAuthorization,
  UsdcAuthorizationType,
} from '../../../redeemkit/evm/usdcAuthorization/usdcAuthorization.ts'
import { sameHex } from '../../../redeemkit/evm/values.ts'
import type { SignedMessages } from '../../../redeemkit/schema/redeem.ts'
import { tempoSignatures } from '../../../redeemkit/tempo/signature/tempoSignatures.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { type UsdcAuthorizationArgument, usdcMethods } from '../../simulation/redeemRequest.ts'
import { problem } from '../http/problem.ts'
import { invalidPermit, receiveRequired } from './simulationProblem.ts'

/** The factory call that deploys a wallet without code (ERC-6492). */
export type WalletDeployment = { factory: Hex; data: Hex }

/** A signature without its ERC-6492 wrapper, and the deployment from the wrapper if there was one. */
export type Unwrapped = { signature: Hex; deployment: WalletDeployment | undefined }

/** Removes an ERC-6492 wrapper. Returns undefined if the bytes end like a wrapper but cannot be decoded. */
export function unwrapSignature(signature: Hex): Unwrapped | undefined {
  if (classifySignature(signature) !== 'erc6492') return { signature, deployment: undefined }
  const wrapped = unwrapErc6492(signature)
  return (
    wrapped && {
      signature: wrapped.signature,
      deployment: { factory: wrapped.factory, data: wrapped.factoryData },
    }
  )
}

/** A deployed wallet needs no factory, even if its signature names one (x402-foundation/x402, pull request 2352). */
export async function checkFactories(
  chain: EvmChain,
  wallet: Hex,
  signed: readonly (Unwrapped | undefined)[],
): Promise<void> {
  for (const one of signed) {
    const factory = one?.deployment?.factory
    if (factory === undefined || chain.walletFactories.has(factory)) continue
    if (await hasCode(chain.client, wallet)) return
    throw problem('FACTORY_NOT_ALLOWED', `This service does not allow wallet factory ${factory}.`, {
      details: { factory },
    })
  }
}

/** Returns the bytes to submit: a key's canonical signature, or a contract's inner signature (ERC-1271, ERC-6492). */
export async function checkSignatures(
  chain: EvmChain,
  options: checkSignatures.Options,
): Promise<checkSignatures.ReturnType> {
  const { domain, permit, signedMessages, usdcAmount, hasCode } = options
  const v2 = signedMessages.customerUsdcAuthDataV2
  const permitBytes = unwrapSignature(signedMessages.permitCredits)
  const usdcBytes = v2 === undefined ? undefined : unwrapSignature(v2.signature)
  if (permitBytes === undefined)
    throw problem('INVALID_PERMIT', 'The ERC-6492 wrapper of the permit is invalid.')
  if (v2 !== undefined && usdcBytes === undefined)
    throw invalidAuthorization('its ERC-6492 wrapper is invalid')
  // Both signatures are from one wallet, so either may contain its deployment.
  const deployment = hasCode ? undefined : (permitBytes.deployment ?? usdcBytes?.deployment)
  const isContract = hasCode || deployment !== undefined
  const judged = (bytes: Hex) =>
    deployment === undefined
      ? bytes
      : serializeErc6492Signature({ address: deployment.factory, data: deployment.data, signature: bytes })

  // Tempo's envelopes of P-256 keys, passkeys and access keys are submitted unchanged, like a contract's bytes.
  const isEnvelope = isTempoChain(chain.chainId) && classifySignature(permitBytes.signature) === 'other'
  const permitSignature = canonical(permitBytes.signature, isContract || isEnvelope)
  if (
    permitSignature === undefined ||
    !(await verifyCreditPermit({
      domain,
      permit,
      signature: judged(permitSignature),
      client: chain.client,
      signatures,
    }))
  )
    throw problem('INVALID_PERMIT', invalidPermit)
  if (usdcAmount === 0n) return { permitSignature, usdcAuthorization: undefined, deployment }

  const authorization = authorizationOf(chain, { ...options, permit })
  const v1 = signedMessages.customerUsdcAuthData
  if (v1 !== undefined && isContract)
    throw invalidAuthorization('the wallet has code, so its signature must come as customerUsdcAuthDataV2')
  const signature =
    v1 !== undefined
      ? canonical({ r: v1.r, s: v1.s, v: v1.v }, false)
      : usdcBytes === undefined
        ? undefined
        : canonical(usdcBytes.signature, isContract)
  if (signature === undefined) throw invalidAuthorization('no key can have made its signature')
  const types: readonly UsdcAuthorizationType[] = ['ReceiveWithAuthorization', 'TransferWithAuthorization']
  for (const type of types) {
    const good = await verifyUsdcAuthorization({
      chainId: chain.chainId,
      type,
      authorization,
      signature: judged(signature),
      client: chain.client,
    })
    if (!good) continue
    const isReceive = type === 'ReceiveWithAuthorization'
    if (!isReceive && options.receiveOnly) throw problem('INVALID_USDC_AUTHORIZATION', receiveRequired)
    const method = usdcMethods[`${isReceive ? 'receive' : 'transfer'}${v1 ? 'V1' : 'V2'}`]
    return { permitSignature, usdcAuthorization: { method, signature }, deployment }
  }
  throw invalidAuthorization('this wallet did not sign it for these values')
}

export declare namespace checkSignatures {
  type Options = {
    domain: CreditPermitDomain
    permit: CreditPermit
    signedMessages: SignedMessages
    usdcAmount: bigint
    hasCode: boolean
    /** Intent-bound permits require this: anyone could execute a transfer authorization, even of an abandoned attempt. */
    receiveOnly: boolean
  }
  type ReturnType = {
    permitSignature: Hex
    usdcAuthorization: UsdcAuthorizationArgument | undefined
    /** Must run before the redeem. */
    deployment: WalletDeployment | undefined
  }
}

const signatures = tempoSignatures()

function canonical(
  signature: Parameters<typeof normalizeSignature>[0],
  isContract: boolean,
): Hex | undefined {
  try {
    const bytes = normalizeSignature(signature, { hasCode: isContract })
    return isContract || classifySignature(bytes) === 'packed' ? bytes : undefined
  } catch (error) {
    if (error instanceof BaseError) return undefined
    throw error
  }
}

/** Returns the expected authorization; throws if a field of the sent one differs (PROTOCOL.md 5.4). */
function authorizationOf(chain: EvmChain, options: checkSignatures.Options): UsdcAuthorization {
  const { permit, signedMessages, usdcAmount } = options
  const given = signedMessages.customerUsdcAuthData ?? signedMessages.customerUsdcAuthDataV2
  if (given === undefined) throw invalidAuthorization('it is missing')
  const expected: UsdcAuthorization = {
    from: permit.customerWallet,
    to: chain.creditsContract,
    value: usdcAmount,
    validAfter: 0n,
    validBefore: permit.validBefore,
    nonce: permit.nonce,
  }
  const same: Record<keyof UsdcAuthorization, boolean> = {
    from: sameHex(given.from, expected.from),
    to: sameHex(given.to, expected.to),
    value: BigInt(given.value) === expected.value,
    validAfter: BigInt(given.validAfter) === expected.validAfter,
    validBefore: BigInt(given.validBefore) === expected.validBefore,
    nonce: sameHex(given.nonce, expected.nonce),
  }
  for (const [field, equal] of Object.entries(same))
    if (!equal) throw invalidAuthorization(`its "${field}" differs from this redeem's`, field)
  return expected
}

function invalidAuthorization(why: string, field?: string | undefined) {
  return problem(
    'INVALID_USDC_AUTHORIZATION',
    `The USDC authorization was rejected: ${why}.`,
    field === undefined ? {} : { details: { field } },
  )
}
