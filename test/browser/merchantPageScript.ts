import { mountPurchase, userMessage } from 'redeemkit'
import { cardForm } from '../../examples/card-form.ts'
import type { Mounted, Reported, Shop } from './merchantPage.ts'

const reported: Reported[] = []
const on = {
  onReady: () => void reported.push({ type: 'ready' }),
  onChallenge: (isOpen: boolean) => void reported.push({ type: 'challenge', isOpen }),
  onSuccess: (paymentId: string, more: { hash?: string | undefined } = {}) =>
    void reported.push({ type: 'success', paymentId, ...more }),
  onAuthorized: (paymentId: string) => void reported.push({ type: 'authorized', paymentId }),
  onError: (error: Error & { code?: string | undefined; reason?: string | undefined }) =>
    void reported.push({
      type: 'error',
      name: error.name,
      code: error.code,
      reason: error.reason,
      message: userMessage(error),
    }),
}

let asked = 0
function optionsOf(given: Mounted): mountPurchase.Options {
  const { sessionKeys, ...options } = given
  const next = async () => sessionKeys?.[Math.min(asked++, sessionKeys.length - 1)] ?? ''
  // Tests pass an order, or explicitly none.
  return { ...options, ...on, ...(sessionKeys && { sessionKey: next }) } as mountPurchase.Options
}

const place = document.getElementById('pay')
if (place === null) throw new Error('The page has no element for the form.')
let form: mountPurchase.ReturnType | undefined
const shop: Shop = {
  reported,
  mount: (options) => {
    form = mountPurchase(place, optionsOf(options))
  },
  mountExample: ({ sessionKey, ...options }) => {
    form = cardForm(place, {
      ...options,
      sessionKey: async () => sessionKey,
      onPaid: on.onSuccess,
      onUnclear: () => void reported.push({ type: 'unclear' }),
    })
  },
  update: (options) => form?.update(optionsOf(options)),
  unmount: () => form?.unmount(),
}
Object.assign(globalThis, { shop })
