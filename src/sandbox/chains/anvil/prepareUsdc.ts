import { encodeDeployData, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { mockUsdcAbi, mockUsdcBytecode } from '../../../../contracts/generated/MockUsdc.ts'
import { usdcToken } from '../../../redeemkit/evm/usdcToken.ts'
import { revertDataOf } from '../../contracts/revert.ts'
import { devAccount } from '../../devAccounts.ts'
import { ChainSetupError } from '../errors.ts'
import type { AnvilRpc } from './anvilRpc.ts'

/**
 * Makes sure that there is a USDC at the network's own address, and that USDC can be handed out.
 *
 * What is there is used, whatever contract it is: USDC is made by impersonating the token's own `masterMinter`, as on
 * the real token. Where nothing is there, a token of the same behaviour is put in its place (`MockUsdc`).
 *
 * @returns hands out USDC, raw units
 */
export async function prepareUsdc(rpc: AnvilRpc, options: { chainId: number }): Promise<UsdcMint> {
  const token = usdcToken(options)
  const treasury = devAccount('USDC treasury').account.address
  const code = await rpc.client.getCode({ address: token.address })
  if (code === undefined || code === '0x') {
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
        fix: 'On a fork, copy a newer block: the first USDC took no payments by signature.',
        cause,
      })
    })
  if (separator !== token.domainSeparator)
    throw new ChainSetupError(`The token at ${token.address} has another EIP-712 domain than USDC.`, {
      fix: `Its separator is ${separator}; the pinned one is ${token.domainSeparator}.`,
    })
  return async (to, amount) => {
    // Asked each time: a chain that was put back to a snapshot has forgotten it.
    const allowance = await rpc.client.readContract({
      address: token.address,
      abi: usdcAbi,
      functionName: 'minterAllowance',
      args: [treasury],
    })
    if (allowance < amount) {
      const master = await rpc.client.readContract({
        address: token.address,
        abi: usdcAbi,
        functionName: 'masterMinter',
      })
      await rpc.send({
        from: master,
        to: token.address,
        data: encodeFunctionData({
          abi: usdcAbi,
          functionName: 'configureMinter',
          args: [treasury, 2n ** 200n],
        }),
      })
    }
    await rpc.send({
      from: treasury,
      to: token.address,
      data: encodeFunctionData({ abi: usdcAbi, functionName: 'mint', args: [to, amount] }),
    })
  }
}

/** Hands out USDC, raw units. */
export type UsdcMint = (to: Hex, amount: bigint) => Promise<void>

const usdcAbi = parseAbi([
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function masterMinter() view returns (address)',
  'function minterAllowance(address minter) view returns (uint256)',
  'function configureMinter(address minter, uint256 allowance) returns (bool)',
  'function mint(address to, uint256 amount) returns (bool)',
])
