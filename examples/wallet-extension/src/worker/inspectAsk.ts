import type { Inspection } from 'redeemkit'
import { inspect } from 'redeemkit/evm'
import type { Address } from 'viem'
import type { Asker } from '../messages.ts'
import type { Store } from './openStore.ts'
import { contextPins } from './pins.ts'
import type { QueueEntry, SignAsk } from './queueEntry.ts'

/**
 * Describes what a request asks to sign, and judges it with what the wallet knows: the origin as the browser reports it, the
 * user's pins and names, and the permits that this wallet signed.
 *
 * @returns one inspection for each signature that the user's click gives
 */
export function inspectAsk(
  { ask, page }: { ask: SignAsk; page: QueueEntry['page'] },
  { store, now }: { store: Store; now: () => number },
): readonly Inspection[] {
  const { account: address, chainId } = ask
  const context = {
    address,
    chainId,
    pinned: contextPins(store.get('pins'), chainId)[0],
    known: knownNames(store),
    domains: page === undefined ? [] : [new URL(page.document.origin).host],
    now,
  }
  switch (ask.kind) {
    case 'message':
    case 'transaction':
    case 'typedData':
      return [inspect({ method: ask.method, params: ask.params }, context)]
    case 'cancel':
      return [inspect({ method: 'eth_signTypedData_v4', params: [address, ask.typedData] }, context)]
    case 'payLink': {
      const { creditPermit, usdcAuthorization } = ask.redeem.typedData
      return [creditPermit, ...(usdcAuthorization === undefined ? [] : [usdcAuthorization])].map(
        (typedData) => inspect({ method: 'eth_signTypedData_v4', params: [address, typedData] }, context),
      )
    }
  }
}

/** The user's names, and those of the own accounts. */
function knownNames(store: Store): Record<Address, string> {
  const own = store.get('accounts').map(({ address, name }) => [address.toLowerCase(), name])
  return { ...Object.fromEntries(own), ...store.get('names') }
}

export function askerOf({ page }: Pick<QueueEntry, 'page'>): Asker {
  return page === undefined ? { kind: 'wallet' } : { kind: 'site', origin: page.document.origin }
}
