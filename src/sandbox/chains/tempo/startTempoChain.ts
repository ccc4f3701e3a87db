import type { Address, Chain, Hex, PrivateKeyAccount, PublicClient, Transport } from 'viem'
import { type CreditPermitDomain, creditsDomain } from '../../../redeemkit/evm/creditPermit/creditPermit.ts'
import { tempoContracts } from '../../../redeemkit/tempo/network.ts'
import type { InvalidSandboxOptionsError } from '../../errors.ts'
import { listen } from '../../servers/listen.ts'
import type { ServiceKind } from '../../serviceKind.ts'
import { type nodeRequest, nodeTransport } from '../anvil/connectPipe.ts'
import type { OpenAnvil } from '../anvil/openAnvil.ts'
import { serveNode } from '../anvil/serveNode.ts'
import type { ChainSetupError } from '../errors.ts'
import { deployOnTempo, fundOnTempo, type TempoContracts, tempoRoles } from './deployOnTempo.ts'
import { connectTempo, openTempoAnvil, type TempoRpc, tempoChainId } from './openTempoAnvil.ts'
import { fundedKey, type TempoAccounts, tempoAccounts } from './tempoAccounts.ts'

/** A local Tempo chain with the credits contract. */
export type TempoChain = {
  url: string
  chainId: typeof tempoChainId
  client: PublicClient<Transport, Chain>
  creditsContract: Address
  /** EIP-712 domain of the credits contract. */
  domain: CreditPermitDomain
  /** pathUSD: backs the credits and pays fees. 6 decimals. */
  token: Address
  /** The TIP-1020 signature verifier precompile. */
  signatureVerifier: Address
  /** Sends redeems, mints credits and charges gas. It is also the contract's admin. */
  operator: PrivateKeyAccount
  /** Approves whitelist entries. */
  whitelister: PrivateKeyAccount
  /** Pays the fees of customers' own transactions (type 0x76). */
  sponsor: PrivateKeyAccount
  accounts: TempoAccounts
  /** The credit seed of the credits that test accounts hold. */
  creditSeed: string
  /** Options for `createSandbox({ chains: [tempo.service] })`. The sandbox then redeems on this chain as on any EVM chain. */
  service: {
    blockchain: 'tempo'
    chainId: typeof tempoChainId
    rpcUrl: string
    transport: Transport
    creditsContract: Address
    /** Settles payments with the operator's pathUSD. */
    paymentSettlement: Address
    operatorKey: Hex
    whitelisterKey: Hex
    /** Gas is priced in dollars, and 10^18 units are one dollar. */
    nativePriceCents: bigint
  }
  /** Sends a transaction and waits until it is mined. Gas is estimated unless given. */
  send: TempoRpc['send']
  stop: () => Promise<void>
}

/**
 * Starts a local Tempo chain, deploys `Credits` on pathUSD (with the TIP-1020 precompile as its signature verifier) and the
 * payment settlement contract, and gives each test account credits and some pathUSD.
 *
 * `createSandbox({ chains: [tempo.service] })` uses it like any EVM chain. The operator sends EIP-1559 transactions and pays
 * fees in pathUSD.
 *
 * @throws AnvilNotInstalledError; AnvilStartError; {@link InvalidSandboxOptionsError} when the port is in use;
 *   {@link ChainSetupError} when a setup transaction fails; the errors of `redeemkit/tempo` signers
 * @example
 * ```ts
 * import { startTempoChain } from '@redeemkit/sandbox'
 * const tempo = await startTempoChain()
 * tempo.accounts.passkey.address
 * await tempo.stop()
 * ```
 */
export async function startTempoChain(options: startTempoChain.Options = {}): Promise<TempoChain> {
  const { port = 0, startTimeoutMs, ...rest } = options
  const node = await openTempoAnvil({ startTimeoutMs })
  try {
    const { url, close } = await listen({ fetch: serveNode(node), port })
    try {
      const chain = await setUpTempo(node, { ...rest, url })
      return {
        ...chain,
        stop: async () => {
          await close()
          await node.stop()
        },
      }
    } catch (cause) {
      await close()
      throw cause
    }
  } catch (cause) {
    await node.stop()
    throw cause
  }
}

export declare namespace startTempoChain {
  type Options = Pick<openTempoAnvil.Options, 'startTimeoutMs'> & {
    /** Port of the HTTP server. Default: a free port. */
    port?: number | undefined
    /** The service kind whose credits contract is deployed. Default `intentBound`. */
    service?: ServiceKind | undefined
    /** Credit seed of the test accounts' credits. Default `sandbox`. */
    creditSeed?: string | undefined
    /** Credits of each test account, in raw units (6 decimals). Default 100 dollars. */
    credits?: bigint | undefined
    /** Further wallets, which receive the same funds as each test account. */
    wallets?: readonly Address[] | undefined
  }
  type ErrorType =
    | openTempoAnvil.ErrorType
    | nodeRequest.ErrorType
    | tempoAccounts.ErrorType
    | ChainSetupError
    | InvalidSandboxOptionsError
}

export async function setUpTempo(
  node: Pick<OpenAnvil, 'ask'>,
  options: Pick<startTempoChain.Options, 'service' | 'creditSeed' | 'credits' | 'wallets'> & { url: string },
): Promise<Omit<TempoChain, 'stop'>> {
  const {
    url,
    service = 'intentBound',
    creditSeed = 'sandbox',
    credits = 100_000_000n,
    wallets = [],
  } = options
  const transport = nodeTransport(node)
  const rpc = connectTempo(transport)
  const accounts = await tempoAccounts()
  const contracts = await deployOnTempo(rpc, service)
  const { creditsContract } = contracts
  await fundOnTempo(rpc, { accounts, wallets, creditsContract, creditSeed, credits })
  return describe({ url, transport, rpc, accounts, contracts, creditSeed })
}

function describe(parts: {
  url: string
  transport: Transport
  rpc: TempoRpc
  accounts: TempoAccounts
  contracts: TempoContracts
  creditSeed: string
}): Omit<TempoChain, 'stop'> {
  const { url, transport, rpc, accounts, contracts, creditSeed } = parts
  const { creditsContract } = contracts
  const { operator, whitelister, sponsor } = tempoRoles
  return {
    url,
    chainId: tempoChainId,
    ...rpc,
    creditsContract,
    domain: { ...creditsDomain, chainId: tempoChainId, verifyingContract: creditsContract },
    token: tempoContracts.pathUsd,
    signatureVerifier: tempoContracts.signatureVerifier,
    operator: operator.account,
    whitelister: whitelister.account,
    sponsor: sponsor.account,
    accounts,
    creditSeed,
    service: {
      blockchain: 'tempo',
      chainId: tempoChainId,
      rpcUrl: url,
      transport,
      ...contracts,
      operatorKey: fundedKey(operator.index),
      whitelisterKey: fundedKey(whitelister.index),
      nativePriceCents: 100n,
    },
  }
}
