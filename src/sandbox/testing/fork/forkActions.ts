import { type Abi, encodeDeployData, encodeFunctionData, type Hex, isHex, parseAbi } from 'viem'
import { checkOptions } from '../../../redeemkit/core/checkOptions.ts'
import { InvalidOptionError } from '../../../redeemkit/core/errors/inputErrors.ts'
import { checkAddress } from '../../../redeemkit/evm/checkAddress.ts'
import type { AnvilRpc } from '../../chains/anvil/anvilRpc.ts'
import { giveCredits, roles } from '../../chains/anvil/deployCredits.ts'
import { ChainSetupError } from '../../chains/errors.ts'
import { setWhitelistCall } from '../../contracts/creditsCalls.ts'
import { devAccount } from '../../devAccounts.ts'
import { parseSelector } from '../../parseSelector.ts'
import type { ContractToDeploy, Fork, ForkGift, ForkWhitelistEntry } from './fork.ts'
import { merchantDeployer } from './prepareChain.ts'

export function forkActions(
  rpc: AnvilRpc,
  chain: { chainId: number; usdc: Hex; creditsContract: Hex; creditSeed: string },
): Pick<Fork, 'whitelist' | 'deploy' | 'fund'> {
  return {
    whitelist: (entry) => whitelist(rpc, chain, entry),
    deploy: (contract) => deploy(rpc, contract),
    fund: (gift) => fund(rpc, chain, gift),
  }
}

type Chain = Parameters<typeof forkActions>[1]

async function whitelist(rpc: AnvilRpc, chain: Chain, entry: ForkWhitelistEntry): Promise<void> {
  checkOptions(entry, { target: 'string', selector: 'string?', minimumGas: 'any', allowed: 'boolean?' })
  const { selector, minimumGas = defaultMinimumGas, allowed = true } = entry
  const { creditsContract, creditSeed, chainId } = chain
  await rpc.send({
    from: roles.whitelister.account.address,
    ...setWhitelistCall(
      { creditsContract },
      {
        creditSeed,
        chainId,
        target: checkAddress(entry.target, 'target'),
        selector: selector === undefined ? undefined : parseSelector(selector, 'selector'),
        allowed,
        minimumGas,
      },
    ),
  })
}

/** Default of the service. */
const defaultMinimumGas = 100_000n

async function deploy(rpc: AnvilRpc, contract: ContractToDeploy): Promise<Hex> {
  const { abi, args = [], bytecode } = contract
  const code = typeof bytecode === 'object' ? bytecode.object : bytecode
  if (!isHex(code) || code === '0x')
    throw new InvalidOptionError('bytecode is not hex.', {
      field: 'bytecode',
      fix: 'Pass "bytecode" of the artifact. If it contains placeholders, link its libraries first.',
    })
  // viem validates the arguments, and the parts of an untyped ABI that it uses.
  const data = encodeDeployData({ abi: abi as Abi, bytecode: code, args })
  const { contractAddress } = await rpc.send({ from: merchantDeployer, data })
  if (contractAddress === undefined) throw new ChainSetupError('The contract was not deployed.')
  return checkAddress(contractAddress, 'contractAddress')
}

async function fund(rpc: AnvilRpc, chain: Chain, gift: ForkGift): Promise<void> {
  checkOptions(gift, { wallet: 'string', usdc: 'any', credits: 'any', coin: 'any' })
  const { usdc = 0n, credits = 0n, coin = 0n } = gift
  const wallet = checkAddress(gift.wallet, 'wallet')
  const { creditsContract, creditSeed } = chain
  if (usdc > 0n)
    await rpc.send({
      from: devAccount('USDC treasury').account.address,
      to: chain.usdc,
      data: encodeFunctionData({ abi: mintAbi, functionName: 'mint', args: [wallet, usdc] }),
    })
  if (credits > 0n) await giveCredits(rpc, { creditsContract, creditSeed, wallet, amount: credits })
  if (coin > 0n) await rpc.setBalance(wallet, (await rpc.client.getBalance({ address: wallet })) + coin)
}

/** The treasury became a minter when the chain was created. */
const mintAbi = parseAbi(['function mint(address to, uint256 amount) returns (bool)'])
