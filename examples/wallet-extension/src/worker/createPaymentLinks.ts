import {
  createPaymentsClient,
  type Inspection,
  isOpenRedeemError,
  prepareRedeem,
  signRedeem,
  submitRedeem,
} from 'redeemkit'
import { networkOf, token } from 'redeemkit/evm'
import { type Address, getAddress, isAddress } from 'viem'
import type { LocalAccount } from 'viem/accounts'
import { AskError, type PaymentLink, type Pin } from '../messages.ts'
import type { Networks } from './createNetworks.ts'
import type { SignAsk } from './createQueue.ts'
import { paymentRefusal } from './createTransactions.ts'
import type { Store } from './openStore.ts'
import { redeemPinsOf } from './pins.ts'
import type { Platform } from './platform.ts'
import type { RedeemBook } from './redeemBook.ts'

export type PaymentLinks = ReturnType<typeof createPaymentLinks>

type PayAsk = Extract<SignAsk, { kind: 'payLink' }>

/**
 * A link is not trusted: contract, credits and service come from the user's pin, and the user is warned about a receiver that the pin
 * does not list.
 */
export function createPaymentLinks(parts: {
  store: Store
  networks: Networks
  book: RedeemBook
  platform: Pick<Platform, 'fetch' | 'now'>
}) {
  const { store, networks, book, platform } = parts

  function read(link: string): PaymentLink & { pin: Pin } {
    const { merchantId, chainId, ...terms } = readLink(link)
    const pin = store.get('pins').find((one) => one.merchantId === merchantId && one.chainId === chainId)
    if (pin === undefined || pin.serviceUrl === undefined)
      throw new AskError(
        'unknownShop',
        'The wallet does not have this shop and its service. Add them in the settings.',
      )
    const key = terms.to.toLowerCase() as Address // an address in lower case
    return {
      ...terms,
      merchantId,
      chainId,
      pin,
      pinName: pin.name,
      toName: store.get('names')[key],
      isNewReceiver: !pin.receivers.includes(terms.to),
    }
  }

  function clientOf(pin: Pin) {
    const { blockchain, environment } = networkOf({ chainId: pin.chainId })
    return createPaymentsClient({
      baseUrl: pin.serviceUrl ?? '',
      merchantId: pin.merchantId,
      blockchain,
      environment,
      fetch: platform.fetch,
      now: platform.now,
    })
  }

  const pinOf = (id: string): Pin => {
    const pin = store.get('pins').find((one) => one.id === id)
    if (pin === undefined)
      throw new AskError('unknownShop', 'The shop of this payment was removed from the settings.')
    return pin
  }

  return {
    read: (link: string): PaymentLink => {
      const { pin: _, ...shown } = read(link)
      return shown
    },

    /** Asks the service for the permit, and compares its response with the link and the pin. */
    prepare: async (link: string, account: Address): Promise<SignAsk> => {
      const { pin, cents, usdcCents, to, purchaseId, chainId, isNewReceiver } = read(link)
      try {
        const redeem = await prepareRedeem(clientOf(pin), {
          wallet: account,
          chainId,
          subtotal: { cents },
          ...(usdcCents > 0 && { usdcAmount: { cents: usdcCents } }),
          transactionData: token({ destination: to }),
          purchaseId,
          pinned: redeemPinsOf(pin),
          now: platform.now,
        })
        return { kind: 'payLink', account, chainId, redeem, pinId: pin.id, isNewReceiver }
      } catch (error) {
        throw paymentRefusal(error)
      }
    },

    /** Signs and submits a redeem. The history contains the permit before the service gets it. */
    pay: async (
      { redeem, pinId, account: wallet }: PayAsk,
      { account, inspection }: { account: LocalAccount; inspection: Inspection },
    ): Promise<void> => {
      const pin = pinOf(pinId)
      const about = { asker: { kind: 'wallet' }, account: wallet, inspection } as const
      try {
        const { request, purchaseId } = redeem
        const pinned = redeemPinsOf(pin)
        const signed = await signRedeem(account, {
          prepared: redeem,
          request,
          pinned,
          ...(purchaseId !== undefined && { purchaseId }),
          ...(networks.hasNode(pin.chainId) && { publicClient: networks.nodeOf(pin.chainId) }),
          now: platform.now,
        })
        const id = await book.record(redeem.typedData.creditPermit, about)
        const { hash } = await submitRedeem(clientOf(pin), { signed, request, pinned })
        if (id !== undefined) await book.submitted(id, hash)
      } catch (error) {
        // The permit may still execute, so the history keeps following it.
        if (!isOpenRedeemError(error)) throw paymentRefusal(error)
      }
    },
  }
}

const scheme = 'web+redeem:pay'

/** Every field must be known and may occur only once. Throws AskError `invalidLink` with the field. */
function readLink(link: string) {
  const [start, query, ...more] = link.trim().split('?')
  if (start !== scheme || query === undefined || more.length > 0 || link.length > 2_000)
    throw new AskError('invalidLink', `A payment link begins with "${scheme}?".`)
  const fields = new URLSearchParams(query)
  const known = ['merchant', 'chain', 'to', 'cents', 'usdcCents', 'order']
  for (const name of fields.keys())
    if (!known.includes(name) || fields.getAll(name).length > 1) throw invalid(name)
  const text = (name: string) => fields.get(name) ?? ''
  const whole = (name: string, least: number, missing = '') => {
    const value = fields.get(name) ?? missing
    if (!/^(0|[1-9]\d{0,8})$/.test(value) || Number(value) < least) throw invalid(name)
    return Number(value)
  }
  const [to, merchantId, purchaseId] = [text('to'), text('merchant'), text('order')]
  if (!isAddress(to)) throw invalid('to')
  if (merchantId === '') throw invalid('merchant')
  if (purchaseId === '') throw invalid('order')
  const cents = whole('cents', 1)
  const usdcCents = whole('usdcCents', 0, '0')
  if (usdcCents > cents) throw invalid('usdcCents')
  return { merchantId, chainId: whole('chain', 1), to: getAddress(to), cents, usdcCents, purchaseId }
}

const invalid = (field: string) =>
  new AskError('invalidLink', `The field ${field} of the link is invalid.`, field)
