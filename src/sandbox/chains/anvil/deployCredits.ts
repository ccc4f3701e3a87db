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
import {
  paymentSettlementAbi,
  paymentSettlementBytecode,
} from '../../../../contracts/generated/PaymentSettlement.ts'
import {
  randomNonceCreditsBytecode,
  randomNoncePaymentSettlementBytecode,
} from '../../../../contracts/generated/randomNonce.ts'
import { checkAddress } from '../../../redeemkit/evm/checkAddress.ts'
import { supplyCall } from '../../contracts/creditsCalls.ts'
import { devAccount } from '../../devAccounts.ts'
import type { ServiceKind } from '../../serviceKind.ts'
import { ChainSetupError } from '../errors.ts'
import type { AnvilRpc } from './anvilRpc.ts'
import type { UsdcMint } from './prepareUsdc.ts'

export const roles = {
  admin: devAccount('admin'),
  /** Sends redeems. No other process may send from this account, because the relayer tracks its nonces. */
  operator: devAccount('operator'),
  /** Mints the initial credits, separately from the relayer's account. */
  bank: devAccount('bank'),
  whitelister: devAccount('whitelister'),
  feeRecipient: devAccount('fee recipient'),
}

/** Each service kind has its own contracts, so that one persisted chain can hold both. */
const deployers = {
  intentBound: {
    credits: 'credits deployer',
    bridge: 'bridge deployer',
    payments: 'payments deployer',
  },
  randomNonce: {
    credits: 'random-nonce credits deployer',
    bridge: 'random-nonce bridge deployer',
    payments: 'random-nonce payments deployer',
  },
} as const

export type Deployment = { creditsContract: Hex; bridgeAdapter: Hex }

/** Returns the addresses of a service's contracts on a chain that is not a fork. There, each contract is the first of its deployer. */
export function firstContractsOf(service: ServiceKind): Deployment & { paymentSettlement: Hex } {
  const addressOf = (deployer: string) =>
    getContractAddress({ from: devAccount(deployer).account.address, nonce: 0n })
  const { credits, bridge, payments } = deployers[service]
  return {
    creditsContract: addressOf(credits),
    bridgeAdapter: addressOf(bridge),
    paymentSettlement: addressOf(payments),
  }
}

/** Both kinds have the same constructor. */
export const creditsBytecodes: Readonly<Record<ServiceKind, Hex>> = {
  intentBound: creditsBytecode,
  randomNonce: randomNonceCreditsBytecode,
}

/** Both kinds have the same constructor. */
export const paymentSettlementBytecodes: Readonly<Record<ServiceKind, Hex>> = {
  intentBound: paymentSettlementBytecode,
  randomNonce: randomNoncePaymentSettlementBytecode,
}

/** Deploys all contracts, and gives the operator the USDC that settles payments. */
export async function deployService(
  rpc: AnvilRpc,
  options: { service: ServiceKind; usdc: Hex; mintUsdc: UsdcMint },
): Promise<Deployment & { paymentSettlement: Hex }> {
  const { service, usdc, mintUsdc } = options
  const { payments } = deployers[service]
  const operator = roles.operator.account.address
  const paymentSettlement = await nextContractOf(rpc, payments)
  const deployment = await deployCredits(rpc, { service, usdc, paymentSettlement })
  const { creditsContract } = deployment
  await approve(rpc, { usdc, from: operator, spender: paymentSettlement })
  await mintUsdc(operator, treasury)
  // Deployed last: if this contract has code, the chain has all the others.
  await deploy(rpc, payments, {
    abi: paymentSettlementAbi,
    bytecode: paymentSettlementBytecodes[service],
    args: [creditsContract, roles.admin.account.address, 0, [roleGrant('OPERATOR_ROLE', operator)]],
  })
  return { ...deployment, paymentSettlement }
}

/** One million USDC in raw units, to settle card payments. */
const treasury = 1_000_000_000_000n

/** Deploys the credits contract and the bridge adapter with their roles, as `contracts/script/Deploy.s.sol` does. */
export async function deployCredits(
  rpc: AnvilRpc,
  options: { service: ServiceKind; usdc: Hex; paymentSettlement?: Hex },
): Promise<Deployment> {
  const { service, usdc, paymentSettlement } = options
  const { credits, bridge } = deployers[service]
  const admin = roles.admin.account.address
  const operator = roles.operator.account.address
  const bank = roles.bank.account.address
  const whitelister = roles.whitelister.account.address
  const feeRecipient = roles.feeRecipient.account.address
  // The private keys are public, so on a fork these accounts may have delegated to code (EIP-7702).
  for (const { account } of Object.values(roles)) await rpc.setCode(account.address, '0x')
  await rpc.setBalance(operator, 10n ** 22n)
  await rpc.setBalance(whitelister, 10n ** 22n)
  const bridgeAdapter = await nextContractOf(rpc, bridge)
  const setup = creditsSetup({ bridgeAdapter, paymentSettlement }, [
    roleGrant('OPERATOR_ROLE', operator),
    roleGrant('MINTER_ROLE', operator),
    roleGrant('MINTER_ROLE', bank),
    roleGrant('WHITELIST_ROLE', whitelister),
    roleGrant('PAUSER_ROLE', admin),
  ])
  const creditsContract = await deploy(rpc, credits, {
    abi: creditsAbi,
    bytecode: creditsBytecodes[service],
    args: [usdc, admin, 0, feeRecipient, zeroAddress, setup],
  })
  const grants = [
    roleGrant('RELAYER_ROLE', operator),
    roleGrant('ROUTE_ROLE', admin),
    roleGrant('PAUSER_ROLE', admin),
  ]
  await deploy(rpc, bridge, {
    abi: bridgeAdapterAbi,
    bytecode: bridgeAdapterBytecode,
    args: [creditsContract, usdc, admin, 0, grants],
  })
  // An account that mints credits must pay their backing.
  for (const from of [operator, bank]) await approve(rpc, { usdc, from, spender: creditsContract })
  return { creditsContract, bridgeAdapter }
}

/** The last argument of the constructor of `Credits`. The other contracts may be deployed later. */
export function creditsSetup(
  contracts: { bridgeAdapter?: Hex | undefined; paymentSettlement?: Hex | undefined },
  grants: readonly RoleGrant[],
) {
  const { bridgeAdapter, paymentSettlement } = contracts
  const others = [bridgeAdapter, paymentSettlement].filter((address) => address !== undefined)
  return {
    bridgeAdapter: bridgeAdapter ?? zeroAddress,
    // Each contract deploys one more: the adapter its executor, the payment settlement its escrow implementation.
    ownContracts: others.flatMap((from) => [from, getContractAddress({ from, nonce: 1n })]),
    grants:
      paymentSettlement === undefined ? grants : [...grants, roleGrant('MINTER_ROLE', paymentSettlement)],
  }
}

type RoleGrant = { role: Hex; account: Hex }

export function roleGrant(name: string, account: Hex): RoleGrant {
  return { role: keccak256(stringToHex(name)), account }
}

async function approve(
  rpc: AnvilRpc,
  { usdc, from, spender }: { usdc: Hex; from: Hex; spender: Hex },
): Promise<void> {
  const args = [spender, maxUint256] as const
  await rpc.send({
    from,
    to: usdc,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }),
  })
}

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

export async function administer(rpc: AnvilRpc, bridgeAdapter: Hex, call: AdminCall): Promise<void> {
  const abi: Abi = bridgeAdapterAbi
  const data = encodeFunctionData({ abi, ...call })
  await rpc.send({ from: roles.admin.account.address, to: bridgeAdapter, data })
}

type AdminCall =
  /** Sets the maximum amount of a destination token per whole USDC. */
  | { functionName: 'setRoute'; args: readonly [chainId: bigint, token: Hex, costPerUsdc: bigint] }
  /** Lets an adapter execute messages from another chain's adapter. */
  | { functionName: 'setSource'; args: readonly [chainId: bigint, source: Hex, allowed: true] }
  /** Sets the amount of a token that an adapter may execute per day. The initial limit is 0. */
  | { functionName: 'setDailyLimit'; args: readonly [token: Hex, amount: bigint] }

/** On a fork, the account may have deployed contracts before. */
async function nextContractOf({ client }: AnvilRpc, deployer: string): Promise<Hex> {
  const { address } = devAccount(deployer).account
  const nonce = await client.getTransactionCount({ address })
  return getContractAddress({ from: address, nonce: BigInt(nonce) })
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
