import type { Abi, Hex, PrivateKeyAccount } from 'viem'
import { checkOptions, type OptionKinds } from '../../../redeemkit/core/checkOptions.ts'
import { InvalidOptionError } from '../../../redeemkit/core/errors/inputErrors.ts'
import { readTip } from '../../chains/anvil/state/readTip.ts'
import { waitForReceipt } from '../../chains/waitForReceipt.ts'
import { keyedLock } from '../../process/keyedLock.ts'
import type { Person } from '../../runningSandbox.ts'
import { redeemCall } from '../../simulation/redeemRequest.ts'
import { reportTransaction } from '../../simulation/reportTransaction.ts'
import { simulateRequest } from '../../simulation/simulateRequest.ts'
import { comingSalt } from './comingSalt.ts'
import type { Fork, RedeemToSend, RedeemToSimulate } from './fork.ts'
import type { ForkClient } from './forkClient.ts'
import { forkRequest } from './forkRequest.ts'

/** Redeems on a chain, tried and for real, each with its report. */
export function forkRedeems(
  client: ForkClient,
  chain: forkRedeems.Chain,
): Pick<Fork, 'simulateRedeem' | 'redeem'> {
  const { creditsContract, operator } = chain
  const oneAtATime = keyedLock()
  return {
    simulateRedeem: async (redeem) => {
      checkRedeem(redeem)
      const { customer = chain.alice, abis, rules = 'all' } = redeem
      const { nextTime } = await readTip(client)
      const request = await forkRequest(chain, {
        ...redeem,
        wallet: customer.address,
        signer: customer.account,
        salt: await comingSalt(client, operator.address),
        time: nextTime,
      })
      return simulateRequest(client, {
        creditsContract,
        relayer: operator.address,
        request,
        signatures: customer.account === undefined ? 'assumed' : 'real',
        abis: readAbis(abis),
        rules,
      })
    },
    redeem: async (redeem) => {
      checkRedeem(redeem)
      // The nonces of the operator's account are counted by the chain.
      const hash = await oneAtATime('operator', () => sendRedeem(client, chain, redeem))
      return reportTransaction(client, { hash, creditsContract, abis: readAbis(redeem.abis) })
    },
  }
}

export declare namespace forkRedeems {
  type Chain = {
    chainId: number
    creditsContract: Hex
    creditSeed: string
    operator: PrivateKeyAccount
    alice: Person
  }
  type ErrorType =
    | checkOptions.ErrorType
    | simulateRequest.ErrorType
    | reportTransaction.ErrorType
    | forkRequest.ErrorType
}

/** Sends it, and returns when it is mined, whatever came of it. */
async function sendRedeem(client: ForkClient, chain: forkRedeems.Chain, redeem: RedeemToSend): Promise<Hex> {
  const { customer = chain.alice } = redeem
  // A test may have moved the clock and mined nothing since.
  const [{ nextTime }, { baseFeePerGas }] = await Promise.all([readTip(client), client.getBlock()])
  const request = await forkRequest(chain, {
    ...redeem,
    wallet: customer.address,
    signer: customer.account,
    salt: await comingSalt(client, chain.operator.address),
    time: nextTime,
  })
  const hash = await client.sendTransaction({
    account: chain.operator,
    ...redeemCall(chain, request),
    // Given by hand: a redeem that reverts is to be mined, too.
    gas: gasLimit,
    maxFeePerGas: 2n * (baseFeePerGas ?? 0n) + 1n,
    maxPriorityFeePerGas: 1n,
  })
  // Also where a test has switched automatic mining off.
  if (!(await client.getAutomine())) await client.mine({ blocks: 1 })
  await waitForReceipt(client, hash)
  return hash
}

/** An ABI that was read from a file has no types; what is no item of one is passed over. */
function readAbis(abis: RedeemToSimulate['abis']): readonly Abi[] | undefined {
  return abis as readonly Abi[] | undefined
}

/** What one transaction may use on Ethereum (EIP-7825). */
const gasLimit = 16_777_216n

const redeemKinds: OptionKinds<RedeemToSimulate> = {
  transactionData: 'object',
  amount: 'any',
  usdcAmount: 'any',
  customer: 'object?',
  abis: 'list?',
  rules: 'string?',
}

function checkRedeem(redeem: RedeemToSimulate): void {
  checkOptions(redeem, redeemKinds)
  for (const name of ['amount', 'usdcAmount'] as const)
    if (typeof redeem[name] !== 'bigint' && !(name === 'usdcAmount' && redeem[name] === undefined))
      throw new InvalidOptionError(`${name} is no bigint.`, {
        field: name,
        fix: 'Give raw units: 10 dollars are 10_000_000n.',
      })
}
