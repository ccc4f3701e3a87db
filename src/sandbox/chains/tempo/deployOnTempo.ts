import {
  type Abi,
  type Address,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  getContractAddress,
  type Hex,
  type PrivateKeyAccount,
  parseAbi,
} from 'viem'
import { creditsAbi } from '../../../../contracts/generated/Credits.ts'
import { paymentSettlementAbi } from '../../../../contracts/generated/PaymentSettlement.ts'
import { tempoContracts } from '../../../redeemkit/tempo/network.ts'
import { supplyCall } from '../../contracts/creditsCalls.ts'
import type { ServiceKind } from '../../serviceKind.ts'
import {
  creditsBytecodes,
  creditsSetup,
  paymentSettlementBytecodes,
  roleGrant,
} from '../anvil/deployCredits.ts'
import { ChainSetupError } from '../errors.ts'
import type { TempoRpc } from './openTempoAnvil.ts'
import { fundedAccount, type TempoAccounts } from './tempoAccounts.ts'

/** The accounts with roles on a local Tempo chain, taken from Anvil's mnemonic by index. */
export const tempoRoles = {
  /** Sends redeems, mints credits and charges gas. It is also the contract's admin. */
  operator: role(0),
  whitelister: role(1),
  feeRecipient: role(2),
  /** Pays the fees of customers' own transactions (type 0x76). */
  sponsor: role(3),
}

function role(index: number): { index: number; account: PrivateKeyAccount } {
  return { index, account: fundedAccount(index) }
}

/** The TIP-1020 precompile verifies signatures. The payment settlement contract pays with the operator's pathUSD. */
export async function deployOnTempo(rpc: TempoRpc, service: ServiceKind): Promise<TempoContracts> {
  const { pathUsd, signatureVerifier } = tempoContracts
  const { address: operator } = tempoRoles.operator.account
  const feeRecipient = tempoRoles.feeRecipient.account.address
  const nonce = BigInt(await rpc.client.getTransactionCount({ address: operator }))
  const paymentSettlement = getContractAddress({ from: operator, nonce: nonce + 1n })
  const setup = creditsSetup({ paymentSettlement }, [
    roleGrant('OPERATOR_ROLE', operator),
    roleGrant('MINTER_ROLE', operator),
    roleGrant('PAUSER_ROLE', operator),
    roleGrant('WHITELIST_ROLE', tempoRoles.whitelister.account.address),
  ])
  const creditsContract = await deploy(rpc, {
    abi: creditsAbi,
    bytecode: creditsBytecodes[service],
    args: [pathUsd, operator, 0, feeRecipient, signatureVerifier, setup],
  })
  await deploy(rpc, {
    abi: paymentSettlementAbi,
    bytecode: paymentSettlementBytecodes[service],
    args: [creditsContract, operator, 0, [roleGrant('OPERATOR_ROLE', operator)]],
  })
  await approve(rpc, paymentSettlement)
  return { creditsContract, paymentSettlement }
}

export type TempoContracts = { creditsContract: Address; paymentSettlement: Address }

async function deploy(
  rpc: TempoRpc,
  contract: { abi: Abi; bytecode: Hex; args: readonly unknown[] },
): Promise<Address> {
  const data = encodeDeployData(contract)
  const { contractAddress } = await rpc.send(tempoRoles.operator.account, { data, gas: 200_000_000n })
  if (contractAddress === undefined) throw new ChainSetupError('A contract of the sandbox was not deployed.')
  return contractAddress
}

async function approve(rpc: TempoRpc, spender: Address): Promise<void> {
  await rpc.send(tempoRoles.operator.account, {
    to: tempoContracts.pathUsd,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, 2n ** 128n] }),
  })
}

/** Gives the test accounts and `wallets` credits and some pathUSD for fees, and authorizes the access key for `key`. */
export async function fundOnTempo(
  rpc: TempoRpc,
  options: {
    accounts: TempoAccounts
    wallets: readonly Address[]
    creditsContract: Address
    creditSeed: string
    credits: bigint
  },
): Promise<void> {
  const { accounts, wallets, creditsContract, creditSeed, credits } = options
  const operator = tempoRoles.operator.account
  const token = tempoContracts.pathUsd
  await approve(rpc, creditsContract)
  const { key, p256, passkey } = accounts
  for (const address of [key.address, p256.address, passkey.address, ...wallets]) {
    await rpc.send(
      operator,
      supplyCall({ creditsContract }, 'mint', { creditSeed, wallet: address, amount: credits }),
    )
    await rpc.send(operator, {
      to: token,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [address, feeMoney] }),
    })
  }
  const { timestamp } = await rpc.client.getBlock()
  const { keyId } = accounts.accessKey
  const restrictions = {
    expiry: timestamp + accessKeySeconds,
    enforceLimits: false,
    limits: [],
    allowAnyCalls: true,
    allowedCalls: [],
  }
  // The account itself must authorize its key.
  await rpc.send(accounts.key, {
    to: tempoContracts.accountKeychain,
    data: encodeFunctionData({ abi, functionName: 'authorizeKey', args: [keyId, p256Type, restrictions] }),
  })
}

const feeMoney = 5_000_000n
const accessKeySeconds = 365n * 86_400n
const p256Type = 1

const abi = parseAbi([
  'struct TokenLimit { address token; uint256 amount; uint64 period; }',
  'struct SelectorRule { bytes4 selector; address[] recipients; }',
  'struct CallScope { address target; SelectorRule[] selectorRules; }',
  'struct KeyRestrictions { uint64 expiry; bool enforceLimits; TokenLimit[] limits; bool allowAnyCalls; CallScope[] allowedCalls; }',
  'function authorizeKey(address keyId, uint8 signatureType, KeyRestrictions config)',
])
