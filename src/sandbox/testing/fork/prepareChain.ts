import type { Hex } from 'viem'
import { usdcToken } from '../../../redeemkit/evm/usdcToken.ts'
import type { AnvilRpc } from '../../chains/anvil/anvilRpc.ts'
import { deployCredits, giveCredits, roles } from '../../chains/anvil/deployCredits.ts'
import { placeMulticall3, prepareUsdc } from '../../chains/anvil/prepareUsdc.ts'
import { devAccount } from '../../devAccounts.ts'
import { gift, sandboxAccounts } from '../../start/fundAccounts.ts'

export const merchantDeployer = devAccount('merchant').account.address

/** The bank backs credits with USDC. Each test account has 1000 dollars of credits and 1000 USDC. */
export async function prepareChain(
  rpc: AnvilRpc,
  options: { chainId: number; creditSeed: string },
): Promise<{ creditsContract: Hex }> {
  const { chainId, creditSeed } = options
  await placeMulticall3(rpc)
  const mintUsdc = await prepareUsdc(rpc, { chainId })
  const { creditsContract } = await deployCredits(rpc, {
    service: 'intentBound',
    usdc: usdcToken({ chainId }).address,
  })
  const { bank, operator } = roles
  await mintUsdc(bank.account.address, treasure)
  for (const { address: wallet } of Object.values(sandboxAccounts())) {
    // The private keys are public, so on a forked chain these accounts may have delegated to code (EIP-7702).
    await rpc.setCode(wallet, '0x')
    await mintUsdc(wallet, gift)
    await giveCredits(rpc, { creditsContract, creditSeed, wallet, amount: gift })
  }
  const treasury = devAccount('USDC treasury').account.address
  for (const sender of [operator.account.address, bank.account.address, treasury, merchantDeployer]) {
    await rpc.setCode(sender, '0x')
    await rpc.setBalance(sender, coins)
  }
  return { creditsContract }
}

/** A billion dollars of USDC, in raw units. */
const treasure = 10n ** 15n

/** In wei. */
const coins = 10n ** 24n
