import { amountPerCent, amountToCentsRoundedUp } from '../../../redeemkit/core/amount.ts'
import { isTempoChain } from '../../../redeemkit/evm/networks.ts'
import type { SettlementKind } from '../../../redeemkit/evm/transactionData/settlementOf.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import type { gasPrice } from '../../relayer/relayerChain.ts'
import { agreeableCode, type RedeemRequest, redeemCall } from '../../simulation/redeemRequest.ts'
import type { ResolvedIntent } from './resolveIntent.ts'

/** Returns the gas fee in raw USDC units: gas × gas price × the coin's price in dollars, rounded up to a cent; never zero. */
export async function gasFeeOf(chain: EvmChain, gas: bigint, price: gasPrice.ReturnType): Promise<bigint> {
  const coinCents = await chain.nativePriceCents()
  const weiCents = gas * price.expected * coinCents
  const cents = amountToCentsRoundedUp((weiCents * amountPerCent + wei - 1n) / wei)
  return BigInt(Math.max(cents, 1)) * amountPerCent
}

const wei = 10n ** 18n

/**
 * Simulates the redeem. The customer has not signed yet, so the wallet is replaced by a contract that accepts every signature. If the
 * simulation fails, for example before the call is whitelisted, returns a generous estimate by transaction type.
 */
export async function estimateUnsigned(
  chain: EvmChain,
  { request, intent }: { request: RedeemRequest; intent: ResolvedIntent },
): Promise<bigint> {
  try {
    return await chain.client.estimateGas({
      account: chain.operator.address,
      ...redeemCall(chain, request),
      stateOverride: [{ address: request.permit.customerWallet, code: agreeableCode }],
    })
  } catch {
    return gasOfShape(chain, intent)
  }
}

/** Returns a generous estimate without asking the node. */
export function gasOfShape(chain: EvmChain, intent: ResolvedIntent): bigint {
  const callData = BigInt((intent.settlement.data.length - 2) / 2) * gasPerByte
  const shape = gasByShape[intent.shape] * (isTempoChain(chain.chainId) ? gasOnTempo : 1n)
  return shape + callData + (intent.usdcAmount > 0n ? gasOfAuthorization : 0n)
}

const gasByShape = {
  token: 180_000n,
  normal: 400_000n,
  safeMint: 500_000n,
  returned: 500_000n,
  knownTokenId: 500_000n,
  decent: 500_000n,
} as const satisfies Record<SettlementKind, bigint>

/** Tempo charges 250,000 gas for a new storage slot. A token redeem was measured at 610,000 gas and is estimated at 900,000. */
const gasOnTempo = 5n

const gasOfAuthorization = 120_000n
const gasPerByte = 16n
