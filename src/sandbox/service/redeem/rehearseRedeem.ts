import type { Hex } from 'viem'
import { least } from '../../../redeemkit/core/amount/least.ts'
import { ChainReadError } from '../../../redeemkit/evm/client/chainReadError.ts'
import type { CreditPermit } from '../../../redeemkit/evm/creditPermit/creditPermit.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import type { gasPrice } from '../../relayer/gasPrice.ts'
import { agreeableCode, type RedeemRequest, redeemCall } from '../../simulation/redeemRequest.ts'
import { ServiceProblem } from '../http/problem.ts'
import type { Service } from '../service.ts'
import { explainFailure } from './explainFailure.ts'
import { gasFeeOf } from './gasFee.ts'
import { type CustomerNonce, rememberGas } from './redeemRows.ts'
import { refuseLeftBehind } from './refuseLeftBehind.ts'
import type { HashedIntent } from './resolveIntent.ts'
import { exceedsAuthorized, insufficientCredits, simulationProblem } from './simulationProblem.ts'
import { isUsdcPaused, usdcPaused } from './usdcControls.ts'

/**
 * Finds out what a redeem takes, whether it can be paid for, and whether it goes through: by one run in the node, with the
 * highest fee that permit and credits leave room for. What goes through with that goes through with less.
 *
 * @returns the request with its gas fee, as it is to be sent
 * @throws ServiceProblem `EXCEEDS_AUTHORIZED`, `INSUFFICIENT_CREDITS`, and what the simulation says (PROTOCOL.md 7.2)
 */
export async function rehearseRedeem(
  service: Service,
  options: rehearseRedeem.Options,
): Promise<rehearseRedeem.ReturnType> {
  const { redeem, permit, fromCredits, credits, price } = options
  const { chain } = redeem
  const customerPays = service.settings.gasFeePayer === 'customer'
  const room = least(credits, permit.amount) - fromCredits
  const gas = options.gas ?? (await runExplained(service, options, customerPays ? room : 0n))
  const gasFee = customerPays ? await gasFeeOf(chain, gas, price) : 0n
  const charged = fromCredits + gasFee
  if (charged > permit.amount) {
    await rememberGas(service, redeem, gas)
    throw exceedsAuthorized(charged, permit.amount)
  }
  if (credits < charged) throw insufficientCredits()
  return { request: options.request(gasFee), gas, gasFee, charged }
}

export declare namespace rehearseRedeem {
  type Options = {
    redeem: CustomerNonce & { intent: HashedIntent }
    permit: CreditPermit
    /** What the contract is given, with this gas fee. */
    request: (gasFee: bigint) => RedeemRequest
    /** What the credits pay of the amount, without the fee; no more than the permit allows, and the wallet has. */
    fromCredits: bigint
    /** What the wallet has. */
    credits: bigint
    price: gasPrice.ReturnType
    /** Of a run that went through already, with no lower fee. */
    gas?: bigint | undefined
    /** With a contract that agrees to every signature in the wallet's place, while the wallet is not there yet. */
    asWallet?: boolean | undefined
  }
  type ReturnType = {
    request: RedeemRequest
    gas: bigint
    gasFee: bigint
    /** Of the credits, the fee included. */
    charged: bigint
  }
}

/** Runs it; one that would fail is run once more to say where and why. */
async function runExplained(
  service: Service,
  { redeem, request: requestWith, asWallet }: rehearseRedeem.Options,
  gasFee: bigint,
): Promise<bigint> {
  const { chain, wallet } = redeem
  const request = requestWith(gasFee)
  const stateOverride = asWallet ? [{ address: wallet, code: agreeableCode }] : undefined
  try {
    return await runRedeem(service, chain, { request, stateOverride })
  } catch (refusal) {
    if (!(refusal instanceof ServiceProblem)) throw refusal
    if (refusal.code === 'SIMULATION_FAILED' && (await isUsdcPaused(chain))) throw usdcPaused(chain)
    throw await explainFailure(service, chain, { refusal, request, asWallet })
  }
}

/**
 * Has the node run a redeem without sending it. One that would leave a token behind is refused.
 *
 * @returns the gas that it needs
 * @throws ServiceProblem as {@link simulationProblem} makes it; ChainReadError when it is the node that failed
 */
export async function runRedeem(
  service: Pick<Service, 'onError'>,
  chain: EvmChain,
  options: {
    request: RedeemRequest
    stateOverride?: { address: Hex; code: Hex }[] | undefined
  },
): Promise<bigint> {
  const { request, stateOverride } = options
  // Asked at the same time: it tells of a redeem that goes through.
  const refusal = refuseLeftBehind(service, chain, options)
  refusal.catch(() => {})
  try {
    const call = { account: chain.operator.address, ...redeemCall(chain, request) }
    const gas = await chain.client.estimateGas({ ...call, stateOverride })
    await refusal
    return gas
  } catch (error) {
    if (error instanceof ServiceProblem) throw error
    throw simulationProblem(error) ?? new ChainReadError('The node did not run the redeem.', { cause: error })
  }
}
