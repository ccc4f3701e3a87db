import {
  type Abi,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  getContractAddress,
  type Hex,
  keccak256,
  maxUint256,
  stringToHex,
  zeroAddress,
} from 'viem'
import { bridgeAdapterAbi, bridgeAdapterBytecode } from '../../../../contracts/generated/BridgeAdapter.ts'
import { creditsAbi, creditsBytecode } from '../../../../contracts/generated/Credits.ts'
import { randomNonceCreditsBytecode } from '../../../../contracts/generated/randomNonce.ts'
import { checkAddress } from '../../../redeemkit/evm/checkAddress.ts'
import { supplyCall } from '../../contracts/creditsCalls.ts'
import { devAccount } from '../../devAccounts.ts'
import type { ServiceKind } from '../../serviceKind.ts'
import { ChainSetupError } from '../errors.ts'
import type { AnvilRpc } from './anvilRpc.ts'

export const roles = {
  admin: devAccount('admin'),
  /** Sends redeems. No other process may use this account, because the relayer tracks its nonces. */
  operator: devAccount('operator'),
  /** Mints the initial credits, separately from the relayer's account. */
  bank: devAccount('bank'),
  whitelister: devAccount('whitelister'),
  feeRecipient: devAccount('fee recipient'),
}

export async function findDeployment(rpc: AnvilRpc, service: ServiceKind): Promise<Deployment | undefined> {
  const { credits, bridge } = deployers[service]
  const deployment = {
    creditsContract: firstContractOf(credits),
    bridgeAdapter: firstContractOf(bridge),
  }
  for (const address of Object.values(deployment)) {
    const code = await rpc.client.getCode({ address })
    if (code === undefined || code === '0x') return undefined
  }
  return deployment
}

/** Each service kind has its own contracts, side by side on a persisted chain. */
const deployers = {
  intentBound: { credits: 'credits deployer', bridge: 'bridge deployer' },
  randomNonce: { credits: 'random-nonce credits deployer', bridge: 'random-nonce bridge deployer' },
} as const

/** Bytecode of the credits contract; both kinds have the same constructor. */
export const creditsBytecodes: Readonly<Record<ServiceKind, Hex>> = {
  intentBound: creditsBytecode,
  randomNonce: randomNonceCreditsBytecode,
}

/** The last constructor argument of `Credits`: the sandbox sets everything later. */
export const noSetup = { bridgeAdapter: zeroAddress, ownContracts: [], grants: [] } as const

/** Deploys the credits contract and the bridge adapter, and grants their roles. */
export async function deployCredits(
  rpc: AnvilRpc,
  options: { service: ServiceKind; usdc: Hex },
): Promise<Deployment> {
  const { service, usdc } = options
  const admin = roles.admin.account.address
  const operator = roles.operator.account.address
  const bank = roles.bank.account.address
  // The keys are public: on a fork, these accounts may have code (ERC-7702).
  for (const { account } of Object.values(roles)) await rpc.setCode(account.address, '0x')
  await rpc.setBalance(operator, 10n ** 22n)
  await rpc.setBalance(roles.whitelister.account.address, 10n ** 22n)
  const creditsContract = await deploy(rpc, deployers[service].credits, {
    abi: creditsAbi,
    bytecode: creditsBytecodes[service],
    args: [usdc, admin, 0, roles.feeRecipient.account.address, zeroAddress, noSetup],
  })
  const bridgeAdapter = await deploy(rpc, deployers[service].bridge, {
    abi: bridgeAdapterAbi,
    bytecode: bridgeAdapterBytecode,
    args: [creditsContract, usdc, admin, 0, []],
  })
  const grant = (to: Hex, role: string, account: Hex) =>
    rpc.send({
      from: admin,
      to,
      data: encodeFunctionData({
        abi: creditsAbi,
        functionName: 'grantRole',
        args: [keccak256(stringToHex(role)), account],
      }),
    })
  await grant(creditsContract, 'OPERATOR_ROLE', operator)
  await grant(creditsContract, 'MINTER_ROLE', operator)
  await grant(creditsContract, 'MINTER_ROLE', bank)
  await grant(creditsContract, 'WHITELIST_ROLE', roles.whitelister.account.address)
  await grant(creditsContract, 'PAUSER_ROLE', admin)
  await grant(bridgeAdapter, 'RELAYER_ROLE', operator)
  await grant(bridgeAdapter, 'ROUTE_ROLE', admin)
  await grant(bridgeAdapter, 'PAUSER_ROLE', admin)
  await rpc.send({
    from: admin,
    to: creditsContract,
    data: encodeFunctionData({ abi: creditsAbi, functionName: 'setBridgeAdapter', args: [bridgeAdapter] }),
  })
  // The minter pays the backing of a mint.
  for (const from of [operator, bank])
    await rpc.send({
      from,
      to: usdc,
      data: encodeFunctionData({
        abi: erc20Abi,
        functionName: 'approve',
        args: [creditsContract, maxUint256],
      }),
    })
  return { creditsContract, bridgeAdapter }
}

export type Deployment = { creditsContract: Hex; bridgeAdapter: Hex }

/** Gives a wallet credits, backed by the bank's USDC. */
export async function giveCredits(
  rpc: AnvilRpc,
  options: { creditsContract: Hex; creditSeed: string; wallet: Hex; amount: bigint },
): Promise<void> {
  const { creditsContract, creditSeed, wallet, amount } = options
  await rpc.send({
    from: roles.bank.account.address,
    ...supplyCall({ creditsContract }, 'mint', { creditSeed, wallet, amount }),
  })
}

/** Sets the maximum amount of a destination token per whole USDC. */
export async function setRoute(
  rpc: AnvilRpc,
  options: { bridgeAdapter: Hex; chainId: number; token: Hex; costPerUsdc: bigint },
): Promise<void> {
  const { bridgeAdapter, chainId, token, costPerUsdc } = options
  await rpc.send({
    from: roles.admin.account.address,
    to: bridgeAdapter,
    data: encodeFunctionData({
      abi: bridgeAdapterAbi,
      functionName: 'setRoute',
      args: [BigInt(chainId), token, costPerUsdc],
    }),
  })
}

/** Lets an adapter execute messages from another chain's adapter. */
export async function setSource(
  rpc: AnvilRpc,
  options: { bridgeAdapter: Hex; chainId: number; source: Hex },
): Promise<void> {
  const { bridgeAdapter, chainId, source } = options
  await rpc.send({
    from: roles.admin.account.address,
    to: bridgeAdapter,
    data: encodeFunctionData({
      abi: bridgeAdapterAbi,
      functionName: 'setSource',
      args: [BigInt(chainId), source, true],
    }),
  })
}

/** Sets the amount of a token that an adapter may execute per day; initially 0. */
export async function setDailyLimit(
  rpc: AnvilRpc,
  options: { bridgeAdapter: Hex; token: Hex; amount: bigint },
): Promise<void> {
  const { bridgeAdapter, token, amount } = options
  await rpc.send({
    from: roles.admin.account.address,
    to: bridgeAdapter,
    data: encodeFunctionData({ abi: bridgeAdapterAbi, functionName: 'setDailyLimit', args: [token, amount] }),
  })
}

function firstContractOf(deployer: string): Hex {
  return getContractAddress({ from: devAccount(deployer).account.address, nonce: 0n })
}

async function deploy(
  rpc: AnvilRpc,
  deployer: string,
  contract: { abi: Abi; bytecode: Hex; args: readonly unknown[] },
): Promise<Hex> {
  const { contractAddress } = await rpc.send({
    from: devAccount(deployer).account.address,
    data: encodeDeployData(contract),
  })
  if (contractAddress === undefined) throw new ChainSetupError('A contract of the sandbox was not deployed.')
  return checkAddress(contractAddress, 'contractAddress')
}
