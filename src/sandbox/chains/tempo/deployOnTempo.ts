import {
  type Address,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  type PrivateKeyAccount,
  parseAbi,
} from 'viem'
import { creditsAbi } from '../../../../contracts/generated/Credits.ts'
import { paymentSettlementAbi } from '../../../../contracts/generated/PaymentSettlement.ts'
import { tempoContracts } from '../../../redeemkit/tempo/network.ts'
import { supplyCall } from '../../contracts/creditsCalls.ts'
import type { ServiceKind } from '../../serviceKind.ts'
import { creditsBytecodes, noSetup } from '../anvil/deployCredits.ts'
import { paymentSettlementBytecodes } from '../anvil/deployPaymentSettlement.ts'
import { ChainSetupError } from '../errors.ts'
import type { TempoRpc } from './connectTempo.ts'
import { fundedAccount, type TempoAccounts } from './tempoAccounts.ts'

/** The accounts with roles on a local Tempo chain, and their indexes in Anvil's mnemonic. */
export const tempoRoles = {
  /** Sends redeems, mints credits, charges gas. Also the contract's admin. */
  operator: role(0),
  whitelister: role(1),
  feeRecipient: role(2),
  /** Pays the fees of customers' own transactions (type 0x76). */
  sponsor: role(3),
}

function role(index: number): { index: number; account: PrivateKeyAccount } {
  return { index, account: fundedAccount(index) }
}

/**
 * Deploys `Credits` on pathUSD, with the TIP-1020 precompile as its signature verifier, and the payment settlement contract.
 * Grants their roles.
 */
export async function deployOnTempo(rpc: TempoRpc, service: ServiceKind): Promise<TempoContracts> {
  const creditsContract = await deployCredits(rpc, service)
  return { creditsContract, paymentSettlement: await deploySettlement(rpc, { service, creditsContract }) }
}

export type TempoContracts = { creditsContract: Address; paymentSettlement: Address }

async function deployCredits(rpc: TempoRpc, service: ServiceKind): Promise<Address> {
  const operator = tempoRoles.operator.account
  const { contractAddress: creditsContract } = await rpc.send(operator, {
    data: encodeDeployData({
      abi: creditsAbi,
      bytecode: creditsBytecodes[service],
      args: [
        tempoContracts.pathUsd,
        operator.address,
        0,
        tempoRoles.feeRecipient.account.address,
        tempoContracts.signatureVerifier,
        noSetup,
      ],
    }),
    gas: deployGas,
  })
  if (creditsContract === undefined) throw new ChainSetupError('The credits contract was not deployed.')
  const grants = [
    ['OPERATOR_ROLE', operator.address],
    ['MINTER_ROLE', operator.address],
    ['PAUSER_ROLE', operator.address],
    ['WHITELIST_ROLE', tempoRoles.whitelister.account.address],
  ] as const
  for (const [name, to] of grants) await grant(rpc, creditsContract, { name, to })
  return creditsContract
}

/** Deploys the contract that settles payments with the operator's pathUSD. */
async function deploySettlement(
  rpc: TempoRpc,
  { service, creditsContract }: { service: ServiceKind; creditsContract: Address },
): Promise<Address> {
  const operator = tempoRoles.operator.account
  const { contractAddress: paymentSettlement } = await rpc.send(operator, {
    data: encodeDeployData({
      abi: paymentSettlementAbi,
      bytecode: paymentSettlementBytecodes[service],
      args: [creditsContract, operator.address, 0, []],
    }),
    gas: deployGas,
  })
  if (paymentSettlement === undefined)
    throw new ChainSetupError('The payment settlement contract was not deployed.')
  await grant(rpc, paymentSettlement, { name: 'OPERATOR_ROLE', to: operator.address })
  await grant(rpc, creditsContract, { name: 'MINTER_ROLE', to: paymentSettlement })
  await rpc.send(operator, {
    to: creditsContract,
    data: encodeFunctionData({
      abi: creditsAbi,
      functionName: 'setOwnContract',
      args: [paymentSettlement, true],
    }),
  })
  await approve(rpc, paymentSettlement)
  return paymentSettlement
}

async function grant(
  rpc: TempoRpc,
  contract: Address,
  { name, to }: { name: 'OPERATOR_ROLE' | 'MINTER_ROLE' | 'PAUSER_ROLE' | 'WHITELIST_ROLE'; to: Address },
): Promise<void> {
  const id = await rpc.client.readContract({ address: contract, abi: creditsAbi, functionName: name })
  await rpc.send(tempoRoles.operator.account, {
    to: contract,
    data: encodeFunctionData({ abi: creditsAbi, functionName: 'grantRole', args: [id, to] }),
  })
}

async function approve(rpc: TempoRpc, spender: Address): Promise<void> {
  await rpc.send(tempoRoles.operator.account, {
    to: tempoContracts.pathUsd,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, 2n ** 128n] }),
  })
}

const deployGas = 200_000_000n

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
  const call = authorizeAccessKey({ keyId, kind: 'p256', expiry: timestamp + accessKeySeconds })
  await rpc.send(accounts.key, call)
}

const feeMoney = 5_000_000n
const accessKeySeconds = 365n * 86_400n

const abi = parseAbi([
  'struct TokenLimit { address token; uint256 amount; uint64 period; }',
  'struct SelectorRule { bytes4 selector; address[] recipients; }',
  'struct CallScope { address target; SelectorRule[] selectorRules; }',
  'struct KeyRestrictions { uint64 expiry; bool enforceLimits; TokenLimit[] limits; bool allowAnyCalls; CallScope[] allowedCalls; }',
  'function authorizeKey(address keyId, uint8 signatureType, KeyRestrictions config)',
])
const kinds = { secp256k1: 0, p256: 1, webAuthn: 2 } as const

/**
 * Builds the call with which an account authorizes an access key. The account itself must send it.
 *
 * @param options.expiry unix seconds
 * @param options.spendingLimit how much of a token the key may spend; default: no limit
 * @see Tempo, "Account Keychain Precompile", `authorizeKey`
 */
export function authorizeAccessKey(options: authorizeAccessKey.Options): { to: Address; data: Hex } {
  const { expiry, keyId, kind, spendingLimit } = options
  const config = {
    expiry,
    enforceLimits: spendingLimit !== undefined,
    limits: spendingLimit === undefined ? [] : [{ ...spendingLimit, period: 0n }],
    allowAnyCalls: true,
    allowedCalls: [],
  }
  return {
    to: tempoContracts.accountKeychain,
    data: encodeFunctionData({ abi, functionName: 'authorizeKey', args: [keyId, kinds[kind], config] }),
  }
}

export declare namespace authorizeAccessKey {
  type Options = {
    keyId: Address
    kind: keyof typeof kinds
    expiry: bigint
    spendingLimit?: { token: Address; amount: bigint } | undefined
  }
}
