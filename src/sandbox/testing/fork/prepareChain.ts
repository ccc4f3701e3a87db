import type { Hex } from 'viem'
import { usdcToken } from '../../../redeemkit/evm/usdcToken.ts'
import type { AnvilRpc } from '../../chains/anvil/anvilRpc.ts'
import { deployCredits, giveCredits, roles } from '../../chains/anvil/deployCredits.ts'
import { placeMulticall3 } from '../../chains/anvil/placeMulticall3.ts'
import { prepareUsdc } from '../../chains/anvil/prepareUsdc.ts'
import { devAccount } from '../../devAccounts.ts'
import { gift, sandboxPeople } from '../../start/fundPeople.ts'

/** Accounts of the fixture beside the sandbox's own. */
export const merchantDeployer = devAccount('merchant').account.address

/**
 * Puts on a chain what a test finds there: USDC, the service's contracts with their roles, a bank that has USDC and backs credits,
 * and the people with a thousand dollars of both.
 */
export async function prepareChain(
  rpc: AnvilRpc,
  options: { chainId: number; creditSeed: string },
): Promise<{ creditsContract: Hex }> {
  const { chainId, creditSeed } = options
  await placeMulticall3(rpc)
  const mintUsdc = await prepareUsdc(rpc, { chainId })
  const { creditsContract } = await deployCredits(rpc, {
    service: 'bound',
    usdc: usdcToken({ chainId }).address,
  })
  const { bank, operator } = roles
  await mintUsdc(bank.account.address, treasure)
  for (const { address: wallet } of Object.values(sandboxPeople())) {
    // The keys are public: on a fork, somebody may have put code at these accounts (ERC-7702).
    await rpc.setCode(wallet, '0x')
    await mintUsdc(wallet, gift)
    await giveCredits(rpc, { creditsContract, creditSeed, wallet, amount: gift })
  }
  // Whoever sends for the tests can always pay for it.
  const treasury = devAccount('USDC treasury').account.address
  for (const sender of [operator.account.address, bank.account.address, treasury, merchantDeployer]) {
    await rpc.setCode(sender, '0x')
    await rpc.setBalance(sender, coins)
  }
  return { creditsContract }
}

/** A billion dollars, raw units. */
const treasure = 10n ** 15n

/** In wei. */
const coins = 10n ** 24n
