import type { Hex } from 'viem'
import { redeemProbeAbi, redeemProbeDeployedBytecode } from '../../../contracts/generated/RedeemProbe.ts'
import type { OrderState } from '../../redeemkit/evm/creditPermit/orderState.ts'
import type { ContractCall } from '../simulation/redeemRequest.ts'
import type { CreditsReader } from './creditsReads.ts'

/** What is asked of the chain about one redeem. */
export type ProbeQuestion = {
  wallet: Hex
  /** 12 bytes. */
  orderKey: Hex
  creditSeed: string
  /** A call of the credits contract that is tried as the operator's; undefined for none. */
  attempt: ContractCall | undefined
}

export type ProbeAnswer = {
  order: Pick<OrderState, 'state' | 'commitment'>
  /** Raw units. */
  credits: bigint
  walletHasCode: boolean
  /** What a transaction with the attempt uses; undefined when there was none, or it did not go through here. */
  gas: bigint | undefined
}

/**
 * Asks about several redeems in one `eth_call`, of the newest block. The attempts do not see each other.
 *
 * One that does not go through here may do so by itself: each has a limit of gas.
 */
export async function askRedeemProbe(
  chain: CreditsReader & { operator: { address: Hex } },
  questions: readonly ProbeQuestion[],
): Promise<ProbeAnswer[]> {
  const { operator, creditsContract } = chain
  const answers = await chain.client.readContract({
    address: operator.address,
    abi: askAbi,
    functionName: 'ask',
    args: [
      creditsContract,
      questions.map(({ attempt, ...rest }) => ({ ...rest, attempt: attempt?.data ?? '0x' })),
    ],
    stateOverride: [{ address: operator.address, code: redeemProbeDeployedBytecode }],
  })
  return questions.map(({ attempt }, index) => {
    const answer = answers[index]
    const state = states[answer?.orderState ?? states.length]
    if (answer === undefined || state === undefined)
      throw new Error('The probe of redeems answered in another form than its own.')
    const { commitment, credits, walletHasCode, success, gasUsed } = answer
    const gas = attempt !== undefined && success ? gasUsed + gasOfTransaction(attempt.data) : undefined
    return { order: { state, commitment }, credits, walletHasCode, gas }
  })
}

/** As an `eth_call` it changes nothing. */
const askAbi = redeemProbeAbi
  .filter((item) => item.type === 'function' && item.name === 'ask')
  .map((item) => ({ ...item, stateMutability: 'view' as const }))

/** By the order in the contract. */
const states: readonly OrderState['state'][] = ['unused', 'redeemed', 'cancelled']

/** What a transaction with this call data costs by itself (EIP-2028); the code that it calls costs more than EIP-7623's floor. */
function gasOfTransaction(data: Hex): bigint {
  let gas = 21_000
  for (let at = 2; at < data.length; at += 2) gas += data.startsWith('00', at) ? 4 : 16
  return BigInt(gas)
}
