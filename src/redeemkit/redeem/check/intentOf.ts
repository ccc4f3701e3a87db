import type { Address } from 'viem'
import { showValue } from '../../core/errors/showValue.ts'
import { checkAddress, zeroAddress } from '../../evm/checkAddress.ts'
import { ChainReadError, callContract, type EvmClient } from '../../evm/client.ts'
import {
  type DisclosedIntent,
  mostIntentBytes,
  redeemIntentVersion,
} from '../../evm/creditPermit/disclosedIntent.ts'
import { type RedeemIntent, redeemIntent } from '../../evm/creditPermit/redeemIntent.ts'
import { checkClientChain } from '../chain/lookUpRedeem.ts'
import type { PreparedRedeem, RedeemTerms } from '../preparedRedeem.ts'
import { isDecent } from './readRedeemTerms.ts'

/** Computes the amounts and the nonce (PROTOCOL.md 4). */
export function intentOf(terms: RedeemTerms): RedeemIntent {
  return redeemIntent({ ...terms, intentBound: terms.pinned.intentBound })
}

/** `bridgeAdapter()` of the credits contract. */
const selector = '0xbe7dc09b'

/** Reads the adapter from the pinned contract unless the adapter itself is pinned. Without a node, the terms stay unchanged. */
export async function withBridgeAdapter(
  terms: RedeemTerms,
  client: EvmClient | undefined,
): Promise<RedeemTerms> {
  const { request, pinned, bridgeAdapter, chainId } = terms
  if (client === undefined || bridgeAdapter !== undefined || !isDecent(request)) return terms
  if (pinned.intentBound === false) return terms
  const { creditsContract } = pinned
  const field = 'publicClient'
  await checkClientChain(client, chainId, field)
  const answer = await callContract(client, { to: creditsContract, data: selector }, { field })
  const adapter = answer?.length === 66 ? (`0x${answer.slice(-40)}` as Address) : undefined // 20 bytes of hex
  if (adapter === undefined || adapter === zeroAddress)
    throw new ChainReadError(
      `${creditsContract} returned no bridge adapter: ${answer === undefined ? 'a revert' : showValue(answer)}.`,
      { field: 'creditsContract', fix: 'Check the pinned credits contract. Its chain may have no bridge.' },
    )
  return { ...terms, bridgeAdapter: checkAddress(adapter, 'bridgeAdapter') }
}

/**
 * Discloses only the fields from which the nonce is computed (PROTOCOL.md 4.7). Returns `undefined` for a random nonce or a purchase that is
 * too large.
 */
export function purchaseToDisclose(prepared: PreparedRedeem): DisclosedIntent | undefined {
  if (!prepared.intentBound) return undefined
  const { merchantId, purchaseId, salt, request } = prepared
  const { subtotal, usdcAmount, transactionData } = request
  const text = JSON.stringify({
    version: redeemIntentVersion,
    merchantId,
    purchaseId,
    salt,
    request: { subtotal, usdcAmount, transactionData },
  })
  // A copy, because some wallets change their parameters.
  return new TextEncoder().encode(text).length > mostIntentBytes ? undefined : JSON.parse(text)
}
