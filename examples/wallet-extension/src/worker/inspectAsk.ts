import type { Inspection } from 'redeemkit'
import {
  type DisclosedIntent,
  disclosedIntentOf,
  type InspectContext,
  inspect as inspectEvm,
} from 'redeemkit/evm'
import { inspect as inspectTempo, isTempoChain } from 'redeemkit/tempo'
import { type Address, isAddressEqual } from 'viem'
import type { Asker, RedeemEntry } from '../messages.ts'
import type { QueueEntry, SignAsk } from './createQueue.ts'
import type { Store } from './openStore.ts'
import { contextPins } from './pins.ts'

/** The origin of requests that the user starts in the wallet. The pins allow no other origin for such requests. */
const ownOrigin = 'https://wallet.invalid'

/**
 * Judges a request with what the wallet knows: the origin as the browser reports it, the user's pins and names, the purchase that the
 * page disclosed, and the permits that this wallet signed. Returns one inspection for each signature that the user's click gives.
 */
export async function inspectAsk(
  { ask, page }: { ask: SignAsk; page: QueueEntry['page'] },
  { store, now }: { store: Store; now: () => number },
): Promise<readonly [Inspection, Inspection?]> {
  const { account: address, chainId } = ask
  // The permits of all accounts, because each of them may have paid the order.
  const signedPermits = store
    .get('redeems')
    .map(({ nonce, chainId, outcome }) => ({ nonce, chainId, isUsed: isUsed(outcome) }))
  const context: InspectContext = {
    origin: page?.document.origin,
    address,
    chainId,
    pinned: contextPins(store.get('pins'), chainId),
    known: knownNames(store),
    signedPermits,
    now,
  }
  const ownPins = context.pinned?.map((pin) => ({ ...pin, origins: [ownOrigin] }))
  const inspect = async (request: inspectEvm.Request, terms: InspectContext): Promise<Inspection> =>
    isTempoChain(chainId) ? inspectTempo(request, terms) : inspectEvm(request, terms)
  const inspectTypedData = (typedData: unknown, more: InspectContext = {}) =>
    inspect({ method: 'eth_signTypedData_v4', params: [address, typedData] }, { ...context, ...more })
  switch (ask.kind) {
    case 'message':
    case 'transaction':
    case 'calls':
      return [await inspect({ method: ask.method, params: ask.params }, context)]
    case 'typedData': {
      const request = { method: ask.method, params: ask.params }
      return [await inspect(request, { ...context, intent: disclosedIntentOf(request) })]
    }
    case 'cancel':
      return [
        await inspectTypedData(ask.typedData, {
          origin: ownOrigin,
          // Permits at contracts that no pin lists can be cancelled too.
          pinned: ownPins?.filter(({ creditsContract }) => isAddressEqual(creditsContract, ask.to)),
        }),
      ]
    case 'payLink': {
      const { creditPermit, usdcAuthorization } = ask.redeem.typedData
      const own: InspectContext = { origin: ownOrigin, pinned: ownPins, intent: intentOfLink(ask) }
      const permit = await inspectTypedData(creditPermit, own)
      if (usdcAuthorization === undefined) return [permit]
      // The same click signs the permit first.
      const withPermit = [...signedPermits, { nonce: ask.redeem.answer.nonce, chainId }]
      return [permit, await inspectTypedData(usdcAuthorization, { ...own, signedPermits: withPermit })]
    }
  }
}

function isUsed(outcome: RedeemEntry['outcome']): boolean {
  return outcome === 'redeemed' || outcome === 'otherAttempt' || outcome === 'cancelled'
}

function intentOfLink({ redeem }: Extract<SignAsk, { kind: 'payLink' }>): DisclosedIntent {
  const { merchantId, purchaseId, salt, request } = redeem
  const { subtotal, usdcAmount, transactionData } = request
  return {
    version: 1,
    merchantId,
    ...(purchaseId !== undefined && { purchaseId }),
    salt,
    request: { subtotal, usdcAmount, transactionData },
  }
}

function knownNames(store: Store): Record<Address, string> {
  const own = store.get('accounts').map(({ address, name }) => [address.toLowerCase(), name])
  return { ...Object.fromEntries(own), ...store.get('names') }
}

export function askerOf({ page }: Pick<QueueEntry, 'page'>): Asker {
  return page === undefined ? { kind: 'wallet' } : { kind: 'site', origin: page.document.origin }
}
