import { type Address, encodeFunctionData, type Hex, http, pad, parseAbi } from 'viem'
import { type EvmNetwork, usdcToken } from '../../src/redeemkit/evm/index.ts'
import { type AnvilRpc, anvilRpc } from '../../src/sandbox/chains/anvil/anvilRpc.ts'
import { prepareUsdc, type UsdcMint } from '../../src/sandbox/chains/anvil/prepareUsdc.ts'
import { startAnvil } from '../../src/sandbox/chains/anvil/startAnvil.ts'
import { devAccount } from '../../src/sandbox/devAccounts.ts'
import usdcCode from '../vectors/usdc-code.json' with { type: 'json' }

export type Fork = {
  url: string
  rpc: AnvilRpc
  /** Impersonates the token's `masterMinter`, so it works for any token contract. */
  giveUsdc: UsdcMint
  origin: 'real' | 'local'
  stop: () => Promise<void>
}

/** `FORK_URL_BASE`, or `FORK_URL_BASE_SANDBOX` for the test network. */
export function forkVariable({ blockchain, environment }: EvmNetwork): string {
  return `FORK_URL_${blockchain.toUpperCase()}${environment === 'prod' ? '' : '_SANDBOX'}`
}

/** Forks the real network if its variable is set, otherwise a local chain with the issuer's token at its real address. */
export async function startFork(network: EvmNetwork): Promise<Fork> {
  const { chainId } = network
  const realUrl = process.env[forkVariable(network)]
  const origin = realUrl === undefined ? await startAnvil({ chainId }) : undefined
  const forkUrl = origin?.url ?? realUrl ?? '' // without a real URL, `origin` is set
  try {
    if (origin !== undefined) await placeUsdc(anvilRpc(http(origin.url)), { chainId })
    const fork = await startAnvil({ chainId, forkUrl })
    try {
      const rpc = anvilRpc(http(fork.url))
      return {
        url: fork.url,
        rpc,
        giveUsdc: await prepareUsdc(rpc, { chainId }),
        origin: origin === undefined ? 'real' : 'local',
        stop: async () => {
          await fork.stop()
          await origin?.stop()
        },
      }
    } catch (error) {
      await fork.stop()
      throw error
    }
  } catch (error) {
    await origin?.stop()
    throw error
  }
}

const abi = parseAbi([
  'function initialize(string name, string symbol, string currency, uint8 decimals, address masterMinter, address pauser, address blacklister, address owner)',
  'function initializeV2(string name)',
  'function initializeV2_1(address lostAndFound)',
  'function initializeV2_2(address[] accountsToBlacklist, string symbol)',
])
const implementation: Address = '0x00000000000000000000000000000000005dc220'
/** The hashes of "org.zeppelinos.proxy.implementation" and "org.zeppelinos.proxy.admin". */
const slots = {
  implementation: '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3',
  admin: '0x10d6a54a4754c8869d6886b5f5d7fbfa5b4522237ea5c60d11bc4e7a1ff9390b',
} as const

export async function placeUsdc(rpc: AnvilRpc, { chainId }: { chainId: number }): Promise<void> {
  const { address, name, decimals } = usdcToken({ chainId })
  const owner = devAccount('USDC owner').account.address
  const master = devAccount('USDC masterMinter').account.address
  const { FiatTokenProxy, FiatTokenV2_2, SignatureChecker, signatureCheckerAddress } = usdcCode as Record<
    Exclude<keyof typeof usdcCode, 'origin'>,
    Hex
  > // in JSON, these values are plain strings
  await rpc.setCode(signatureCheckerAddress, SignatureChecker)
  await rpc.setCode(implementation, FiatTokenV2_2)
  await rpc.setCode(address, FiatTokenProxy)
  const store = (slot: Hex, value: Address) =>
    // viem has no types for Anvil's methods.
    rpc.client.request({ method: 'anvil_setStorageAt', params: [address, slot, pad(value)] } as never)
  await store(slots.implementation, implementation)
  await store(slots.admin, devAccount('USDC admin').account.address)
  const initialize = (data: Hex) => rpc.send({ from: owner, to: address, data })
  await initialize(
    encodeFunctionData({
      abi,
      functionName: 'initialize',
      args: [name, 'USDC', 'USD', decimals, master, owner, owner, owner],
    }),
  )
  await initialize(encodeFunctionData({ abi, functionName: 'initializeV2', args: [name] }))
  await initialize(encodeFunctionData({ abi, functionName: 'initializeV2_1', args: [owner] }))
  await initialize(encodeFunctionData({ abi, functionName: 'initializeV2_2', args: [[], 'USDC'] }))
}
