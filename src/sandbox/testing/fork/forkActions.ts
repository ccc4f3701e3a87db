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

/** What a test does to a chain before it redeems on it. */
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

/** What the service gives an entry that asks for none. */
const defaultMinimumGas = 100_000n

async function deploy(rpc: AnvilRpc, contract: ContractToDeploy): Promise<Hex> {
  const { abi, args = [], bytecode } = contract
  const code = typeof bytecode === 'object' ? bytecode.object : bytecode
  if (!isHex(code) || code === '0x')
    throw new InvalidOptionError('bytecode is no hex.', {
      field: 'bytecode',
      fix: 'Give "bytecode" of the artifact; one with libraries that are not linked yet has placeholders in it.',
    })
  // viem's own check names the argument that does not fit.
  // An ABI that was read from a file has no types; viem looks at what it uses.
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

/** The treasury was made a minter when the chain was made. */
const mintAbi = parseAbi(['function mint(address to, uint256 amount) returns (bool)'])
