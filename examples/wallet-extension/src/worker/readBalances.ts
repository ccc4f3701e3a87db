import { NoUsdcAuthorizationError, usdcToken } from 'redeemkit/evm'
import { type Address, encodeFunctionData, erc20Abi, type Hex, hexToBigInt, isHex, parseAbi } from 'viem'
import type { Balance, Network, Pin } from '../messages.ts'
import type { Networks } from './createNetworks.ts'

const creditsAbi = parseAbi(['function creditsOf(string creditSeed, address wallet) view returns (uint256)'])

export async function readBalances(
  networks: Networks,
  { address, pins }: { address: Address; pins: readonly Pin[] },
): Promise<Balance[]> {
  const withNode = networks.list().filter(({ chainId }) => networks.hasNode(chainId))
  return Promise.all(withNode.map((network) => readBalance(networks, { network, address, pins })))
}

async function readBalance(
  networks: Networks,
  { network, address, pins }: { network: Network; address: Address; pins: readonly Pin[] },
): Promise<Balance> {
  const { chainId, coin } = network
  const read = async (method: string, params: unknown): Promise<bigint | undefined> => {
    try {
      const answer = await networks.nodeOf(chainId).request({ method, params })
      return isHex(answer) && answer.length > 2 ? hexToBigInt(answer) : undefined
    } catch {
      return undefined
    }
  }
  const call = (to: Address, data: Hex) => read('eth_call', [{ to, data }, 'latest'])
  const usdc = usdcOf(chainId)
  const [coins, dollars, credits] = await Promise.all([
    coin === undefined ? undefined : read('eth_getBalance', [address, 'latest']),
    usdc && call(usdc, encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [address] })),
    Promise.all(
      pins
        .filter((pin) => pin.chainId === chainId)
        .map(async ({ id, name, creditsContract, creditSeed }) => {
          const args = [creditSeed, address] as const
          const data = encodeFunctionData({ abi: creditsAbi, functionName: 'creditsOf', args })
          return { pinId: id, name, amount: await call(creditsContract, data) }
        }),
    ),
  ])
  return { chainId, coin: coins, usdc: dollars, credits }
}

function usdcOf(chainId: number): Address | undefined {
  try {
    return usdcToken({ chainId }).address
  } catch (error) {
    if (error instanceof NoUsdcAuthorizationError) return undefined
    throw error
  }
}
