import { concat, type Hex, pad, toFunctionSelector } from 'viem'
import { callContract } from '../../../redeemkit/evm/client.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { problem, type ServiceProblem } from '../http/problem.ts'

/**
 * Refuses a customer whom USDC has blocked. Credits are paid out of the contract's own USDC, so the token would not stop one.
 *
 * @throws ServiceProblem `CUSTOMER_BLOCKED`
 */
export async function refuseBlocked(chain: EvmChain, wallet: Hex): Promise<void> {
  if (await says(chain, concat([isBlacklisted, pad(wallet)])))
    throw problem(
      'CUSTOMER_BLOCKED',
      `USDC has blocked ${wallet} on ${chain.blockchain}. This service sends nothing for a blocked wallet. Nothing was paid.`,
    )
}

/**
 * Refuses before anything is signed while USDC is paused: every redeem would fail.
 *
 * @throws ServiceProblem `UNAVAILABLE`
 */
export async function refusePaused(chain: EvmChain): Promise<void> {
  if (await isUsdcPaused(chain)) throw usdcPaused(chain)
}

export const isUsdcPaused = (chain: EvmChain): Promise<boolean> => says(chain, paused)

export function usdcPaused({ blockchain }: EvmChain): ServiceProblem {
  return problem(
    'UNAVAILABLE',
    `USDC is paused on ${blockchain} by its issuer. Nothing was sent and nothing was paid. Try again when it is resumed.`,
    { details: { reason: 'USDC_PAUSED', blockchain } },
  )
}

const isBlacklisted = toFunctionSelector('isBlacklisted(address)')
const paused = toFunctionSelector('paused()')

/** What the chain's USDC answers; no, where there is no such token or it has no such function. */
async function says({ client, usdc }: EvmChain, data: Hex): Promise<boolean> {
  if (usdc === undefined) return false
  const answer = await callContract(client, { to: usdc, data })
  return answer?.length === 66 && BigInt(answer) !== 0n
}
