import { type InvalidAddressError, InvalidOptionError } from '../../core/errors/inputErrors.ts'
import type { RedeemTerms } from '../preparedRedeem.ts'
import type { RedeemOptions } from '../redeemOptions.ts'
import { intentOf } from '../request/intentOf.ts'
import { readWebhookInfo } from '../request/prepareTerms.ts'
import {
  checkPinned,
  isDecent,
  type RedeemClient,
  type RedeemTermsOptions,
  readRedeemTerms,
} from '../request/readRedeemTerms.ts'

/** Before any request, rejects terms that can never be redeemed. */
export function readPurchaseTerms(
  client: RedeemClient,
  options: RedeemTermsOptions & Pick<RedeemOptions, 'webhookInfo' | 'publicClient'>,
): RedeemTerms {
  const terms = readRedeemTerms(client, options)
  readWebhookInfo(options.webhookInfo)
  // The bridge adapter may be read from the chain later.
  const isIncomplete = isDecent(terms.request) && terms.bridgeAdapter === undefined
  if (!isIncomplete || options.publicClient === undefined) intentOf(terms)
  return terms
}

export declare namespace readPurchaseTerms {
  type ErrorType = readRedeemTerms.ErrorType | readWebhookInfo.ErrorType | intentOf.ErrorType
}

export function checkPurchaseOptions({ pinned, storage }: Pick<RedeemOptions, 'pinned' | 'storage'>): void {
  checkPinned(pinned)
  const missing = storageFunctions.find((name) => typeof storage?.[name] !== 'function')
  if (storage !== undefined && missing !== undefined)
    throw new InvalidOptionError(`The storage has no function ${missing}.`, {
      field: 'storage',
      fix: `Pass localStorage, or an object with ${storageFunctions.join(', ')}.`,
    })
}

export declare namespace checkPurchaseOptions {
  type ErrorType = InvalidAddressError | InvalidOptionError
}

const storageFunctions = ['getItem', 'setItem', 'removeItem'] as const
