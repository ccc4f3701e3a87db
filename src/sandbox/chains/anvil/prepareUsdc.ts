import { encodeDeployData, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { mockUsdcAbi, mockUsdcBytecode } from '../../../../contracts/generated/MockUsdc.ts'
import { hasCode } from '../../../redeemkit/evm/client.ts'
import { usdcToken } from '../../../redeemkit/evm/usdcToken.ts'
import { revertDataOf } from '../../contracts/revert.ts'
import { devAccount } from '../../devAccounts.ts'
import { ChainSetupError } from '../errors.ts'
import type { AnvilRpc } from './anvilRpc.ts'

/**
 * Prepares USDC at the network's real address. An existing token is used by impersonating its `masterMinter`; otherwise
 * `MockUsdc`, which behaves the same, is placed there.
 *
 * @returns a function that mints USDC, in raw units
 */
export async function prepareUsdc(rpc: AnvilRpc, options: { chainId: number }): Promise<UsdcMint> {
  const token = usdcToken(options)
  const treasury = devAccount('USDC treasury').account.address
  if (!(await hasCode(rpc.client, token.address))) {
    const master = devAccount('USDC masterMinter').account.address
    const owner = devAccount('USDC owner').account.address
    const { contractAddress } = await rpc.send({
      from: owner,
      data: encodeDeployData({ abi: mockUsdcAbi, bytecode: mockUsdcBytecode }),
    })
    const runtime =
      contractAddress === undefined ? undefined : await rpc.client.getCode({ address: contractAddress })
    if (runtime === undefined) throw new ChainSetupError('The local USDC was not deployed.')
    await rpc.setCode(token.address, runtime)
    await rpc.send({
      from: owner,
      to: token.address,
      data: encodeFunctionData({
        abi: mockUsdcAbi,
        functionName: 'initialize',
        args: [token.name, 'USDC', 'USD', token.decimals, master, owner, owner, owner],
      }),
    })
  }
  const separator = await rpc.client
    .readContract({ address: token.address, abi: usdcAbi, functionName: 'DOMAIN_SEPARATOR' })
    .catch((cause) => {
      if (revertDataOf(cause) === undefined) throw cause
      throw new ChainSetupError(`The token at ${token.address} has no EIP-712 domain.`, {
        fix: 'On a fork, use a newer block: the first USDC had no signed transfers.',
        cause,
      })
    })
  if (separator !== token.domainSeparator)
    throw new ChainSetupError(`The token at ${token.address} does not have USDC's EIP-712 domain.`, {
      fix: `Check the address: its domain separator is ${separator}, but ${token.domainSeparator} is expected.`,
    })
  const usdc = { address: token.address, abi: usdcAbi } as const
  return async (to, amount) => {
    // Set for each mint, because restoring a snapshot resets the allowance.
    const args = [treasury] as const
    const allowance = await rpc.client.readContract({ ...usdc, functionName: 'minterAllowance', args })
    if (allowance < amount) {
      const master = await rpc.client.readContract({ ...usdc, functionName: 'masterMinter' })
      const call = { ...usdc, functionName: 'configureMinter', args: [treasury, 2n ** 200n] } as const
      await rpc.send({ from: master, to: token.address, data: encodeFunctionData(call) })
    }
    const mint = { ...usdc, functionName: 'mint', args: [to, amount] } as const
    await rpc.send({ from: treasury, to: token.address, data: encodeFunctionData(mint) })
  }
}

/** Mints USDC, in raw units. */
export type UsdcMint = (to: Hex, amount: bigint) => Promise<void>

const usdcAbi = parseAbi([
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function masterMinter() view returns (address)',
  'function minterAllowance(address minter) view returns (uint256)',
  'function configureMinter(address minter, uint256 allowance) returns (bool)',
  'function mint(address to, uint256 amount) returns (bool)',
])
