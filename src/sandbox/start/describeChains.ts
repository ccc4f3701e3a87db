import type { Hex } from 'viem'
import type { Environment, EvmBlockchain } from '../../redeemkit/core/blockchains.ts'
import { creditsDomain } from '../../redeemkit/evm/creditPermit/creditPermit.ts'
import { usdcToken } from '../../redeemkit/evm/usdcToken.ts'
import { nodeTransport } from '../chains/anvil/connectPipe.ts'
import { roles } from '../chains/anvil/deployCredits.ts'
import type { connectEvmChain } from '../chains/connectEvmChain.ts'
import type { TempoChain } from '../chains/tempo/startTempoChain.ts'
import type { SandboxChain, SandboxPins, SandboxTempo } from '../runningSandbox.ts'
import type { ServiceKind } from '../serviceKind.ts'
import type { StartedChain } from './startEvmChains.ts'

export function serviceChains(
  chains: readonly StartedChain[],
  options: Pick<connectEvmChain.Options, 'walletFactories' | 'nativePriceCents' | 'confirmations'>,
): connectEvmChain.Options[] {
  const { walletFactories, nativePriceCents, confirmations } = options
  return chains.map((chain) => ({
    blockchain: chain.blockchain,
    ...nodeOf(chain),
    chainId: chain.chainId,
    creditsContract: chain.deployment.creditsContract,
    paymentSettlement: chain.paymentSettlement,
    operatorKey: roles.operator.privateKey,
    whitelisterKey: roles.whitelister.privateKey,
    walletFactories,
    nativePriceCents,
    maxPriorityFeePerGas: localPriorityFee,
    confirmations,
    fresh: chain.fresh,
    destinations: chains
      .filter((other) => other !== chain)
      .map((other) => ({
        chainId: other.chainId,
        ...nodeOf(other),
        bridgeAdapter: other.deployment.bridgeAdapter,
        operatorKey: roles.operator.privateKey,
      })),
  }))
}

/** Anvil accepts any tip but suggests 1 gwei, with which redeems would cost more than on any real rollup. */
export const localPriorityFee = 1_000_000n

const nodeOf = ({ url, node }: StartedChain) => ({ rpcUrl: url, transport: nodeTransport(node) })

export function sandboxChains(
  chains: readonly StartedChain[],
  options: {
    environment: Environment
    creditSeed: string
    service: ServiceKind
    walletFactories?: readonly Hex[] | undefined
  },
): Partial<Record<EvmBlockchain, SandboxChain<ServiceKind>>> {
  const { environment, creditSeed, service, walletFactories } = options
  return Object.fromEntries(
    chains.map(
      ({
        blockchain,
        chainId,
        url,
        node,
        deployment,
        paymentSettlement,
      }): [EvmBlockchain, SandboxChain<ServiceKind>] => [
        blockchain,
        {
          blockchain,
          environment,
          chainId,
          rpcUrl: url,
          forked: node.forked,
          usdc: usdcToken({ chainId }).address,
          ...deployment,
          paymentSettlement,
          operator: roles.operator.account.address,
          feeRecipient: roles.feeRecipient.account.address,
          pinned: pinsOf(service, {
            creditsContract: deployment.creditsContract,
            domainName: creditsDomain.name,
            creditSeed,
            ...(walletFactories && { walletFactories }),
          }),
        },
      ],
    ),
  )
}

export function sandboxTempo(
  tempo: Omit<TempoChain, 'url' | 'stop'>,
  { service, rpcUrl }: { service: ServiceKind; rpcUrl: string },
): SandboxTempo<ServiceKind> {
  const { creditsContract, creditSeed, token, accounts, chainId } = tempo
  return {
    blockchain: 'tempo',
    environment: 'sandbox',
    chainId,
    rpcUrl,
    creditsContract,
    token,
    operator: tempo.operator.address,
    pinned: pinsOf(service, { creditsContract, domainName: tempo.domain.name, creditSeed }),
    accounts,
  }
}

function pinsOf(service: ServiceKind, pins: SandboxPins): SandboxPins<ServiceKind> {
  return service === 'randomNonce' ? { ...pins, intentBound: false } : pins
}
