import { permitMaximumSeconds } from '../../../redeemkit/core/limits.ts'
import { nextBlockTime } from '../../chains/anvil/state/nextBlockTime.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { redeemRequest } from '../../simulation/redeemRequest.ts'
import { problem, ServiceProblem } from '../http/problem.ts'
import type { Service } from '../service.ts'
import { checkSignatures, type WalletDeployment } from './checkSignatures.ts'
import { permitDomain } from './permitDomain.ts'
import type { readTerms, Terms } from './readTerms.ts'
import { rehearseRedeem } from './rehearseRedeem.ts'
import { exceedsAuthorized, insufficientCredits } from './simulationProblem.ts'

/** A redeem that this service would send now. */
export type CheckedRedeem = rehearseRedeem.Options & {
  terms: Terms
  /** The wallet has to be deployed before: only then can it be run as it is. */
  deployment: WalletDeployment | undefined
}

/**
 * Checks time, signatures, credits and whether a redeem goes through. It takes no lock, and is to be called before one.
 *
 * @throws ServiceProblem (PROTOCOL.md 7.2)
 */
export async function checkRedeem(
  service: Service,
  options: readTerms.Options & { terms: Terms },
): Promise<CheckedRedeem> {
  const { redeem, salt, terms } = options
  const { intent } = redeem
  const { permit, price, credits } = terms
  await checkTime(service, redeem.chain, { validBefore: permit.validBefore, blockTime: price.timestamp })
  const { permitSignature, usdcAuthorization, deployment } = await signaturesOf(service, options)
  const fromCredits = intent.amount - intent.usdcAmount
  if (credits < fromCredits) throw insufficientCredits()
  if (fromCredits > permit.amount) throw exceedsAuthorized(fromCredits, permit.amount)
  const checked = {
    redeem,
    permit,
    request: (gasFee: bigint) =>
      redeemRequest({ permit, signature: permitSignature, salt, intent, usdcAuthorization, gasFee }),
    fromCredits,
    credits,
    price,
    gas: gasOf(terms),
    terms,
    deployment,
  }
  if (deployment !== undefined) return checked
  const { gas } = await rehearseRedeem(service, checked)
  return { ...checked, gas }
}

const gasOf = ({ trial }: Terms) => (trial !== undefined && 'gas' in trial ? trial.gas : undefined)

/** What went through in the node was signed: its contract has checked it. Anything else is judged here. */
async function signaturesOf(
  service: Service,
  options: readTerms.Options & { terms: Terms },
): Promise<checkSignatures.ReturnType> {
  const { redeem, body, terms } = options
  const { trial, permit, walletHasCode } = terms
  if (trial !== undefined && 'gas' in trial)
    return { permitSignature: trial.signature, usdcAuthorization: undefined, deployment: undefined }
  // Said by the contract, which is asked for less than this service would ask itself.
  if (trial?.error instanceof ServiceProblem && trial.error.code === 'INVALID_PERMIT') throw trial.error
  return checkSignatures(redeem.chain, {
    domain: permitDomain(redeem.chain),
    permit,
    signedMessages: body.signedMessages,
    usdcAmount: redeem.intent.usdcAmount,
    hasCode: walletHasCode,
    receiveOnly: service.kind === 'bound',
  })
}

/**
 * Exclusive bound, by this service's clock and by the chain's. At most an hour ahead, of the chain's clock where that is ahead itself
 * (PROTOCOL.md 3.3).
 */
async function checkTime(
  service: Service,
  chain: EvmChain,
  { validBefore, blockTime }: { validBefore: bigint; blockTime: bigint },
): Promise<void> {
  const now = BigInt(Math.floor(service.now() / 1000))
  if (validBefore <= now || validBefore <= blockTime)
    throw problem('PERMIT_EXPIRED', 'The permit has expired. Prepare and sign again.')
  if (validBefore <= now + permitMaximumSeconds) return
  if (validBefore > (await nextBlockTime(chain.client)) + permitMaximumSeconds)
    throw problem('INVALID_PERMIT', 'The permit is valid for more than an hour; this service asked for less.')
}
