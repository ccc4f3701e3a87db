import type { Hex } from 'viem'
import { ChainReadError } from '../../../evm/client/chainReadError.ts'
import type { CreditPermit } from '../../../evm/creditPermit/creditPermit.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { redeemCall } from '../../contracts/creditsCalls.ts'
import type { RedeemRequest } from '../../contracts/redeemRequest.ts'
import type { gasPrice } from '../../relayer/gasPrice.ts'
import type { Service } from '../service.ts'
import { checkUnderway } from './checkUnderway.ts'
import { agreeableCode, gasFeeOf } from './gasFee.ts'
import { type CustomerNonce, rememberGas } from './redeemRows.ts'
import type { ResolvedIntent } from './resolveIntent.ts'
import { exceedsAuthorized, insufficientCredits, simulationProblem } from './simulationProblem.ts'

/**
 * Finds out what a redeem takes, whether it can be paid for, and whether it goes through.
 *
 * @returns the request with its gas fee, as it is to be sent
 * @throws ServiceProblem `EXCEEDS_AUTHORIZED`, `INSUFFICIENT_CREDITS`, and what the simulation says (PROTOCOL.md 7.2)
 */
export async function rehearseRedeem(
  service: Service,
  options: rehearseRedeem.Options,
): Promise<rehearseRedeem.ReturnType> {
  const { redeem, permit, fromCredits, credits, price, asWallet } = options
  const { chain, wallet, intent } = redeem
  const stateOverride = asWallet ? [{ address: wallet, code: agreeableCode }] : undefined
  const gas = await run(chain, options.request(0n), (call) =>
    chain.client.estimateGas({ ...call, stateOverride }),
  )
  const gasFee = service.settings.gasFeePayer === 'merchant' ? 0n : await gasFeeOf(chain, gas, price)
  const charged = fromCredits + gasFee
  if (charged > permit.amount) {
    await rememberGas(service, redeem, gas)
    throw exceedsAuthorized(charged, permit.amount)
  }
  if (credits < charged) throw insufficientCredits()
  const { creditSeed } = permit
  await checkUnderway(service, { chain, wallet, creditSeed, charged, usdcAmount: intent.usdcAmount })
  const request = options.request(gasFee)
  // Exactly what is about to be sent.
  await run(chain, request, (call) => chain.client.call({ ...call, stateOverride }))
  return { request, gas, gasFee }
}

export declare namespace rehearseRedeem {
  type Options = {
    redeem: CustomerNonce & { intent: ResolvedIntent }
    permit: CreditPermit
    /** What the contract is given, with this gas fee. */
    request: (gasFee: bigint) => RedeemRequest
    /** What the credits pay of the amount, without the fee. */
    fromCredits: bigint
    /** What the wallet has. */
    credits: bigint
    price: gasPrice.ReturnType
    /** With a contract that agrees to every signature in the wallet's place, while the wallet is not there yet. */
    asWallet?: boolean | undefined
  }
  type ReturnType = { request: RedeemRequest; gas: bigint; gasFee: bigint }
}

/** Has the node run the redeem without sending it. */
async function run<result>(
  chain: EvmChain,
  request: RedeemRequest,
  work: (call: { account: Hex; to: Hex; data: Hex }) => Promise<result>,
): Promise<result> {
  const call = redeemCall(chain, request)
  try {
    return await work({ account: chain.operator.address, ...call })
  } catch (error) {
    throw simulationProblem(error) ?? new ChainReadError('The node did not run the redeem.', { cause: error })
  }
}
