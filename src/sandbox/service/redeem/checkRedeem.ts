import { toFunctionSelector } from 'viem'
import { greatest, least } from '../../../redeemkit/core/amount.ts'
import { unixSeconds } from '../../../redeemkit/core/clock.ts'
import { permitMaximumSeconds } from '../../../redeemkit/core/limits.ts'
import { checkAddress } from '../../../redeemkit/evm/checkAddress.ts'
import { type CreditPermitDomain, creditsDomain } from '../../../redeemkit/evm/creditPermit/creditPermit.ts'
import { permit2 } from '../../../redeemkit/evm/findingTexts.ts'
import { shapeOf } from '../../../redeemkit/evm/transactionData/settlementOf.ts'
import { sameHex } from '../../../redeemkit/evm/values.ts'
import { nextBlockTime } from '../../chains/anvil/chainTime.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { isWhitelisted } from '../../contracts/creditsReads.ts'
import { redeemRequest } from '../../simulation/redeemRequest.ts'
import { problem, ServiceProblem } from '../http/problem.ts'
import type { Service } from '../service.ts'
import { checkSignatures, type WalletDeployment } from './checkSignatures.ts'
import { customerBlocked, dryRunRedeem } from './dryRunRedeem.ts'
import type { readTerms, Terms } from './readTerms.ts'
import type { ResolvedIntent } from './resolveIntent.ts'
import { exceedsAuthorized, insufficientCredits } from './simulationProblem.ts'

export function permitDomain(chain: EvmChain): CreditPermitDomain {
  return {
    ...creditsDomain,
    chainId: chain.chainId,
    verifyingContract: checkAddress(chain.creditsContract, 'creditsContract'),
  }
}

/**
 * Returns the deadline of a permit created now, in unix seconds (PROTOCOL.md 3.3). If the chain's clock is ahead, the lifetime starts
 * at the chain's time, up to the service's maximum. The maximum is ignored if less than 5 minutes would remain to sign.
 */
export function endOfPermit(service: Pick<Service, 'now' | 'settings'>, blockTime: bigint): bigint {
  const now = unixSeconds(service.now)
  const life = BigInt(service.settings.permitSeconds)
  const latest = now + permitMaximumSeconds - clockSlack
  if (blockTime + shortestLife > latest) return blockTime + life
  return greatest(now + life, least(blockTime + life, latest))
}

const clockSlack = 60n

/** Minimum time to sign, in seconds. */
const shortestLife = 300n

/** Rejects calls that the chain's whitelist does not allow (PROTOCOL.md 6.3), before signatures are verified. */
export async function checkWhitelist(
  chain: EvmChain,
  { intent, creditSeed }: { intent: ResolvedIntent; creditSeed: string },
): Promise<void> {
  const { target, data, bridge } = intent.settlement
  const { does } = shapeOf(intent.settlement)
  if (does === 'transfer') return
  // `resolveIntent` has checked that there are at least 4 bytes.
  const selector = data.slice(0, 10).toLowerCase() as `0x${string}` // a prefix of hex
  const chainId = does === 'bridge' ? bridge.dstChainId : BigInt(chain.chainId)
  if ([permit2, chain.creditsContract, chain.usdc].some((address) => sameHex(address, target)))
    throw problem('NOT_WHITELISTED', `A redeem may never call ${target}, even if the whitelist allows it.`, {
      details: { target },
    })
  if (forbiddenSelectors.has(selector))
    throw problem(
      'NOT_WHITELISTED',
      `A redeem may never call function ${selector}: it moves tokens or grants rights over them.`,
      { details: { target, selector } },
    )
  if (!(await isWhitelisted(chain, { creditSeed, chainId, target, selector })))
    throw problem(
      'NOT_WHITELISTED',
      `Function ${selector} of ${target} on chain ${chainId} is not on the whitelist of ${JSON.stringify(creditSeed)}.`,
      { details: { target, selector, chainId: Number(chainId) } },
    )
}

/** The functions that `ForbiddenCalls.sol` rejects. `test/setup/protocol.test.ts` compares both lists. */
export const forbiddenSelectors: ReadonlySet<string> = new Set(
  [
    'approve(address,uint256)',
    'increaseAllowance(address,uint256)',
    'decreaseAllowance(address,uint256)',
    'increaseApproval(address,uint256)',
    'decreaseApproval(address,uint256)',
    'setApprovalForAll(address,bool)',
    'authorizeOperator(address)',
    'approve(address,uint256,uint256)',
    'setOperator(address,bool)',
    'approveAndCall(address,uint256)',
    'approveAndCall(address,uint256,bytes)',
    'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
    'permit(address,address,uint256,uint256,bytes)',
    'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)',
    'permit(address,uint256,uint256,bytes)',
    'permit(address,uint256,uint256,uint8,bytes32,bytes32)',
    'transfer(address,uint256)',
    'transferFrom(address,address,uint256)',
    'safeTransferFrom(address,address,uint256)',
    'safeTransferFrom(address,address,uint256,bytes)',
    'safeTransferFrom(address,address,uint256,uint256,bytes)',
    'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
    'transfer(address,uint256,uint256)',
    'transferFrom(address,address,uint256,uint256)',
    'send(address,uint256,bytes)',
    'operatorSend(address,address,uint256,bytes,bytes)',
    'transferAndCall(address,uint256)',
    'transferAndCall(address,uint256,bytes)',
    'transferFromAndCall(address,address,uint256)',
    'transferFromAndCall(address,address,uint256,bytes)',
  ].map(toFunctionSelector),
)

export type CheckedRedeem = dryRunRedeem.Options & {
  terms: Terms
  /** The wallet deployment that must run before the redeem. Until then, the wallet has no code to simulate the redeem with. */
  deployment: WalletDeployment | undefined
}

/** Checks the wallet, time, signatures, credits and a simulation. Call this before taking the wallet's lock. */
export async function checkRedeem(
  service: Service,
  options: readTerms.Options & { terms: Terms },
): Promise<CheckedRedeem> {
  const { redeem, salt, terms } = options
  const { intent } = redeem
  const { permit, price, credits } = terms
  if (terms.isBlocked) throw customerBlocked(redeem.chain, redeem.wallet)
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
  const { gas } = await dryRunRedeem(service, checked)
  return { ...checked, gas }
}

const gasOf = ({ trial }: Terms) => (trial !== undefined && 'gas' in trial ? trial.gas : undefined)

/** Verifies the signatures, unless a simulation succeeded in which the contract accepted them. */
async function signaturesOf(
  service: Service,
  { redeem, body, terms }: readTerms.Options & { terms: Terms },
): Promise<checkSignatures.ReturnType> {
  const { trial, permit, walletHasCode } = terms
  if (trial !== undefined && 'gas' in trial)
    return { permitSignature: trial.signature, usdcAuthorization: undefined, deployment: undefined }
  // The contract rejected the signature, so this service would reject it too.
  if (trial?.error instanceof ServiceProblem && trial.error.code === 'INVALID_PERMIT') throw trial.error
  return checkSignatures(redeem.chain, {
    domain: permitDomain(redeem.chain),
    permit,
    signedMessages: body.signedMessages,
    usdcAmount: redeem.intent.usdcAmount,
    hasCode: walletHasCode,
    receiveOnly: service.kind === 'intentBound',
  })
}

/** `validBefore` is exclusive. The maximum counts from the chain's clock if that is ahead (PROTOCOL.md 3.3). */
async function checkTime(
  service: Service,
  chain: EvmChain,
  { validBefore, blockTime }: { validBefore: bigint; blockTime: bigint },
): Promise<void> {
  const now = unixSeconds(service.now)
  if (validBefore <= now || validBefore <= blockTime)
    throw problem('PERMIT_EXPIRED', 'The permit has expired. Prepare and sign again.')
  if (validBefore <= now + permitMaximumSeconds) return
  if (validBefore > (await nextBlockTime(chain.client)) + permitMaximumSeconds)
    throw problem(
      'INVALID_PERMIT',
      `The permit is valid for more than ${permitMaximumSeconds} seconds. Prepare and sign again.`,
    )
}
