import type { Config } from '@wagmi/core'
import type { Client } from 'viem'
import type { HasSessionKey, PaymentsClient } from '../api/createPaymentsClient.ts'
import { sendCall } from '../api/sendCall.ts'
import { checkOptions } from '../core/checkOptions.ts'
import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { networkOf } from '../evm/networks.ts'
import { PinsRequiredError } from '../redeem/errors.ts'
import type { OtherChain } from '../redeem/purchase/checkOtherContracts.ts'
import { bringSender, type ChainPins, type Redeemkit, storageOf } from './kit.ts'

/**
 * Returns the kit's client for one wallet on one chain. All clients of a kit share the sign-ins.
 *
 * @throws UnknownNetworkError for an unknown chain; InvalidOptionError for an invalid wallet
 */
export function clientOf(
  kit: Redeemkit,
  { wallet, chainId }: { wallet?: string | undefined; chainId: number },
): PaymentsClient {
  const { blockchain } = networkOf({ chainId })
  bringOwnSender()
  return kit.client.with({ blockchain, wallet })
}

/** Always the same object, because the client merges identical payments that run at the same time (PROTOCOL.md 7.3). */
export function customerClientOf({
  client,
}: Redeemkit): PaymentsClient<HasSessionKey & { readonly userId: string }> {
  bringOwnSender()
  // Each call checks that the client has both.
  return client as PaymentsClient<HasSessionKey & { readonly userId: string }>
}

function bringOwnSender(): void {
  bringSender({ sendCall: (call, client) => sendCall(call, client) })
}

/**
 * Adds the clients, the other chains and the storage to the options of a purchase.
 *
 * @throws InvalidOptionError if the config lacks the chain
 */
export function purchaseOptionsOf<own extends { chainId: number }>(
  config: Config,
  kit: Redeemkit,
  own: own,
  dryRun: boolean | undefined,
) {
  const { chainId } = own
  return {
    ...own,
    ...nodesOf(config, { chainId, dryRun }),
    otherChains: otherChainsOf(config, kit, chainId),
    storage: storageOf(kit),
  }
}

/** Returns the kit's other chains: the order is read there too, before the wallet opens. Chains with random nonces have no orders. */
export function otherChainsOf(config: Config, { pins }: Redeemkit, chainId: number): readonly OtherChain[] {
  return pins
    .filter((pin) => pin.chainId !== chainId && pin.intentBound !== false)
    .filter((pin) => config.chains.some(({ id }) => id === pin.chainId))
    .map(({ chainId: other, creditsContract, formerContracts }) => ({
      publicClient: config.getClient({ chainId: other }),
      chainId: other,
      creditsContract,
      formerContracts,
    }))
}

/**
 * Returns the config's client of a chain, also as the client of a dry run if one is requested.
 *
 * @throws InvalidOptionError if the config lacks the chain
 */
export function nodesOf(
  config: Config,
  { chainId, dryRun = false }: { chainId: number; dryRun?: boolean | undefined },
): { publicClient: Client; dryRun?: Client } {
  checkOptions({ dryRun }, { dryRun: 'boolean' })
  if (config.chains.some(({ id }) => id === chainId)) {
    const publicClient = config.getClient({ chainId })
    return { publicClient, ...(dryRun && { dryRun: publicClient }) }
  }
  throw new InvalidOptionError(`The wagmi config has no chain ${chainId}.`, {
    field: 'chainId',
    fix: 'Add the chain and its transport to createConfig, or do not pin it. Nothing was signed.',
  })
}

/**
 * Returns the pinned values of a chain.
 *
 * @throws {@link PinsRequiredError} for a chain that the kit does not pin
 */
export function pinOf({ pins }: Redeemkit, chainId: number): ChainPins {
  const found = pins.find((pin) => pin.chainId === chainId)
  if (found !== undefined) return found
  throw new PinsRequiredError(`No values are pinned for chain ${chainId}.`, {
    field: 'chainId',
    fix: `Pin that chain in createRedeemkit, or use ${pins.map((pin) => pin.chainId).join(' or ')}.`,
  })
}
