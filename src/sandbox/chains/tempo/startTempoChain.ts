import {
  type Address,
  type Chain,
  createPublicClient,
  createWalletClient,
  defineChain,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  http,
  type PrivateKeyAccount,
  type PublicClient,
  type Transport,
} from 'viem'
import { creditsAbi, creditsBytecode } from '../../../../contracts/generated/Credits.ts'
import { BaseError } from '../../../core/errors/baseError.ts'
import type { CreditPermitDomain } from '../../../evm/creditPermit/creditPermit.ts'
import { tempoContracts } from '../../../tempo/tempoContracts.ts'
import { authorizeAccessKey } from './authorizeAccessKey.ts'
import { startTempoAnvil } from './startTempoAnvil.ts'
import { fundedAccount, fundedKey, type TempoPeople, tempoPeople } from './tempoPeople.ts'

/** A local Tempo chain with the credits contract on it. */
export type TempoChain = {
  url: string
  chainId: 42431
  client: PublicClient<Transport, Chain>
  creditsContract: Address
  /** EIP-712 domain of the credits contract. */
  domain: CreditPermitDomain
  /** pathUSD: backs the credits and pays fees. 6 decimals. */
  token: Address
  /** TIP-1020. */
  signatureVerifier: Address
  /** Sends redeems, mints credits, charges gas. Admin of the contract too. */
  operator: PrivateKeyAccount
  /** Approves whitelist entries. */
  whitelister: PrivateKeyAccount
  /** Pays the fees of customers' own transactions (type 0x76). */
  sponsor: PrivateKeyAccount
  people: TempoPeople
  /** The merchant's credit seed that the people hold credits of. */
  creditSeed: string
  /** What `createSandbox({ chains: [tempo.service] })` takes: the service then redeems here as on any EVM chain. */
  service: {
    blockchain: 'tempo'
    chainId: 42431
    rpcUrl: string
    creditsContract: Address
    operatorKey: Hex
    whitelisterKey: Hex
    /** Gas is priced in dollars: 10^18 are one. */
    nativePriceCents: bigint
  }
  /** Sends a transaction and waits for it. Gas as estimated, unless given. */
  send: (
    account: PrivateKeyAccount,
    call: { to?: Address | undefined; data: Hex; gas?: bigint | undefined },
  ) => Promise<{ hash: Hex; gasUsed: bigint; contractAddress: Address | undefined }>
  stop: () => Promise<void>
}

const deployGas = 90_000_000n
const fees = { maxFeePerGas: 40_000_000_000n, maxPriorityFeePerGas: 0n } as const
const accessKeySeconds = 365n * 86_400n

/**
 * Starts a local Tempo chain, deploys `Credits` on pathUSD with the TIP-1020 precompile as its signature verifier, and
 * gives each person credits and a little pathUSD.
 *
 * `createSandbox({ chains: [tempo.service] })` takes it as one more EVM chain: plain EIP-1559 transactions of `operator`
 * work, and their fees come out of pathUSD.
 *
 * @throws {@link AnvilStartError}; {@link TempoSetupError} when a transaction of the setup fails
 * @example
 * ```ts
 * import { startTempoChain } from 'redeemkit/sandbox'
 * const tempo = await startTempoChain()
 * tempo.people.passkey.address
 * await tempo.stop()
 * ```
 */
export async function startTempoChain(options: startTempoChain.Options = {}): Promise<TempoChain> {
  const { creditSeed = 'sandbox', credits = 100_000_000n, ...anvilOptions } = options
  const anvil = await startTempoAnvil(anvilOptions)
  try {
    return await setUp(anvil, creditSeed, credits)
  } catch (cause) {
    await anvil.stop()
    throw cause
  }
}

export declare namespace startTempoChain {
  type Options = startTempoAnvil.Options & {
    /** Default `sandbox`. */
    creditSeed?: string | undefined
    /** Credits of each person, in raw units (6 decimals). Default 100 dollars. */
    credits?: bigint | undefined
  }
  type ErrorType = TempoSetupError
}

async function setUp(
  anvil: Awaited<ReturnType<typeof startTempoAnvil>>,
  creditSeed: string,
  credits: bigint,
): Promise<TempoChain> {
  const chain = defineChain({
    id: 42431,
    name: 'Tempo (local)',
    // gas is priced in dollars; there is no coin
    nativeCurrency: { name: 'US dollar', symbol: 'USD', decimals: 18 },
    rpcUrls: { default: { http: [anvil.url] } },
  })
  const transport = http(anvil.url)
  const client = createPublicClient({ chain, transport, pollingInterval: 25 })

  const send: TempoChain['send'] = async (account, call) => {
    const wallet = createWalletClient({ account, chain, transport })
    // Anvil lets the base fee sink from block to block, where Tempo keeps it at 20 gwei: no tip, and room above.
    const hash = await wallet.sendTransaction({ ...call, ...fees })
    const receipt = await client.waitForTransactionReceipt({ hash, timeout: 30_000 })
    if (receipt.status !== 'success')
      throw new TempoSetupError(`Transaction ${hash} on the local Tempo chain reverted.`, {
        fix: 'Look at it with debug_traceTransaction before the chain is stopped.',
      })
    const contractAddress = receipt.contractAddress ? getAddress(receipt.contractAddress) : undefined
    return { hash, gasUsed: receipt.gasUsed, contractAddress }
  }

  const [operator, whitelister, feeRecipient, sponsor] = [0, 1, 2, 3].map(fundedAccount)
  if (!operator || !whitelister || !feeRecipient || !sponsor) throw new TempoSetupError('No accounts.')
  const people = await tempoPeople()
  const token = tempoContracts.pathUsd
  const { signatureVerifier } = tempoContracts
  const creditsContract = await deployCredits(send, operator, [
    token,
    operator.address,
    0,
    feeRecipient.address,
    signatureVerifier,
  ])
  const call = (data: Hex) => ({ to: creditsContract, data })
  const grant = async (
    name: 'OPERATOR_ROLE' | 'MINTER_ROLE' | 'WHITELIST_ROLE' | 'PAUSER_ROLE',
    to: Address,
  ) => {
    const role = await client.readContract({ address: creditsContract, abi: creditsAbi, functionName: name })
    await send(
      operator,
      call(encodeFunctionData({ abi: creditsAbi, functionName: 'grantRole', args: [role, to] })),
    )
  }
  await grant('OPERATOR_ROLE', operator.address)
  await grant('MINTER_ROLE', operator.address)
  await grant('PAUSER_ROLE', operator.address)
  await grant('WHITELIST_ROLE', whitelister.address)

  const approve = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [creditsContract, 2n ** 128n],
  })
  await send(operator, { to: token, data: approve })
  for (const { address } of [people.key, people.p256, people.passkey]) {
    const mint = encodeFunctionData({
      abi: creditsAbi,
      functionName: 'mint',
      args: [creditSeed, address, credits],
    })
    await send(operator, call(mint))
    const transfer = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [address, 5_000_000n],
    })
    await send(operator, { to: token, data: transfer })
  }
  const { timestamp } = await client.getBlock()
  const { keyId } = people.accessKey
  await send(people.key, authorizeAccessKey({ keyId, kind: 'p256', expiry: timestamp + accessKeySeconds }))

  return {
    url: anvil.url,
    chainId: 42431,
    client,
    creditsContract,
    domain: { name: 'Credits', version: '1', chainId: 42431, verifyingContract: creditsContract },
    token,
    signatureVerifier,
    operator,
    whitelister,
    sponsor,
    people,
    creditSeed,
    service: {
      blockchain: 'tempo',
      chainId: 42431,
      rpcUrl: anvil.url,
      creditsContract,
      operatorKey: fundedKey(0),
      whitelisterKey: fundedKey(1),
      nativePriceCents: 100n,
    },
    send,
    stop: anvil.stop,
  }
}

async function deployCredits(
  send: TempoChain['send'],
  operator: PrivateKeyAccount,
  args: readonly [Address, Address, number, Address, Address],
): Promise<Address> {
  const data = encodeDeployData({ abi: creditsAbi, bytecode: creditsBytecode, args })
  const { contractAddress } = await send(operator, { data, gas: deployGas })
  if (contractAddress === undefined) throw new TempoSetupError('The credits contract was not deployed.')
  return contractAddress
}

/** The local Tempo chain could not be set up. */
export class TempoSetupError extends BaseError {
  override readonly name = 'TempoSetupError'
}
