import type { Hex } from 'viem'
import { redeemProbeAbi, redeemProbeDeployedBytecode } from '../../../contracts/generated/RedeemProbe.ts'
import { type OrderState, orderStates } from '../../redeemkit/evm/creditPermit/orderState.ts'
import type { ContractCall } from '../simulation/redeemRequest.ts'
import type { CreditsReader } from './creditsReads.ts'

export type ProbeQuestion = {
  wallet: Hex
  /** 12 bytes. */
  orderKey: Hex
  creditSeed: string
  /** The call to the credits contract that the probe simulates as the operator. Without it, only the state is read. */
  attempt: ContractCall | undefined
}

export type ProbeAnswer = {
  order: Pick<OrderState, 'state' | 'commitment'>
  /** In raw units. */
  credits: bigint
  walletHasCode: boolean
  isBlocked: boolean
  /** Gas of a transaction that makes this call; undefined if there is no call or it failed. */
  gas: bigint | undefined
}

/** Reads the state of several redeems with one `eth_call`. A call that fails here may succeed alone, because each has a gas limit. */
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
    const state = orderStates[answer?.orderState ?? orderStates.length]
    if (answer === undefined || state === undefined)
      throw new Error('The redeem probe returned an unexpected result.')
    const { commitment, credits, walletHasCode, isBlocked, success, gasUsed } = answer
    const gas = attempt !== undefined && success ? gasUsed + gasOfTransaction(attempt.data) : undefined
    return { order: { state, commitment }, credits, walletHasCode, isBlocked, gas }
  })
}

/** The ABI marks the function as `view`, because an `eth_call` changes no state. */
const askAbi = redeemProbeAbi
  .filter((item) => item.type === 'function' && item.name === 'ask')
  .map((item) => ({ ...item, stateMutability: 'view' as const }))

/** Intrinsic gas (EIP-2028). The floor of EIP-7623 does not apply, because execution uses more gas. */
function gasOfTransaction(data: Hex): bigint {
  let gas = 21_000
  for (let at = 2; at < data.length; at += 2) gas += data.startsWith('00', at) ? 4 : 16
  return BigInt(gas)
}
