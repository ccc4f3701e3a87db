import { type Abi, encodePacked, type Hex, keccak256, type PrivateKeyAccount } from 'viem'
import { checkOptions, type OptionKinds } from '../../redeemkit/core/checkOptions.ts'
import { InvalidOptionError } from '../../redeemkit/core/errors/inputErrors.ts'
import { mostTransactionGas } from '../../redeemkit/core/limits.ts'
import { readTip } from '../chains/anvil/chainTime.ts'
import { waitForReceipt } from '../chains/waitForReceipt.ts'
import { keyedLock } from '../concurrency.ts'
import type { TestAccount } from '../runningSandbox.ts'
import { redeemCall } from '../simulation/redeemRequest.ts'
import { reportTransaction } from '../simulation/reportTransaction.ts'
import { buildRequest, simulateRequest } from '../simulation/simulateRedeem.ts'
import type { Fork, ForkClient, RedeemToSend, RedeemToSimulate } from './fork.ts'

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
      return simulateRequest(client, {
        creditsContract,
        relayer: operator.address,
        request: await forkRequest(client, chain, redeem),
        signatures: customer.account === undefined ? 'assumed' : 'real',
        abis: readAbis(abis),
        rules,
      })
    },
    redeem: async (redeem) => {
      checkRedeem(redeem)
      // Runs sequentially, because each transaction needs the operator's next nonce.
      const hash = await oneAtATime('operator', () => sendRedeem(client, chain, redeem))
      const { abis, rules } = redeem
      return reportTransaction(client, { hash, creditsContract, abis: readAbis(abis), rules })
    },
  }
}

export declare namespace forkRedeems {
  type Chain = {
    chainId: number
    creditsContract: Hex
    creditSeed: string
    operator: PrivateKeyAccount
    alice: TestAccount
  }
}

async function sendRedeem(client: ForkClient, chain: forkRedeems.Chain, redeem: RedeemToSend): Promise<Hex> {
  const [request, { baseFeePerGas }] = await Promise.all([
    forkRequest(client, chain, redeem),
    client.getBlock(),
  ])
  const hash = await client.sendTransaction({
    account: chain.operator,
    ...redeemCall(chain, request),
    // A fixed gas limit, so that redeems that revert are also mined.
    gas: mostTransactionGas,
    maxFeePerGas: 2n * (baseFeePerGas ?? 0n) + 1n,
    maxPriorityFeePerGas: 1n,
  })
  // A test may have disabled automatic mining.
  if (!(await client.getAutomine())) await client.mine({ blocks: 1 })
  await waitForReceipt(client, hash)
  return hash
}

async function forkRequest(client: ForkClient, chain: forkRedeems.Chain, redeem: RedeemToSimulate) {
  const { customer = chain.alice, transactionData, amount, usdcAmount } = redeem
  // A test may have moved the clock without mining a block.
  const { nextTime: timestamp } = await readTip(client)
  const salt = await nextSalt(client, chain.operator.address)
  const terms = { ...chain, transactionData, amount, usdcAmount, salt, timestamp }
  return buildRequest({ ...terms, wallet: customer.address, signer: customer.account })
}

/** ABIs from files are untyped. Malformed items are skipped later. */
function readAbis(abis: RedeemToSimulate['abis']): readonly Abi[] | undefined {
  return abis as readonly Abi[] | undefined
}

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
      throw new InvalidOptionError(`${name} is not a bigint.`, {
        field: name,
        fix: 'Pass raw units: 10 dollars is 10_000_000n.',
      })
}

/**
 * Returns a salt that is unique per redeem, but the same in the next run. USDC stores used nonces, so requests to it depend on the salt,
 * and a recorded fork must repeat these requests. `operator` must send one transaction per redeem, and no others.
 */
async function nextSalt(client: ForkClient, operator: Hex): Promise<Hex> {
  const redeems = await client.getTransactionCount({ address: operator })
  return keccak256(encodePacked(['string', 'uint256'], ['redeemkit fork', BigInt(redeems)]))
}
