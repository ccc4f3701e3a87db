import type { HasSessionKey, PaymentsClient } from '../../api/createPaymentsClient.ts'
import type { Redeemkit } from './createRedeemkit.ts'

/**
 * The kit's client for the calls of a customer who is known by a session key: the same object each time, by which two presses of one
 * payment are seen to be one (PROTOCOL.md 7.3). Where the kit has no `sessionKey`, or no `userId` that a call needs, the call says so
 * before anything is sent.
 */
export function customerClientOf({
  client,
}: Redeemkit): PaymentsClient<HasSessionKey & { readonly userId: string }> {
  // Whether it has both is seen when it calls: each call looks.
  return client as PaymentsClient<HasSessionKey & { readonly userId: string }>
}
