import type { PaymentsClient } from '../api/createPaymentsClient.ts'
import { OutcomeUnknownError, RequestAbortedError } from '../api/errors.ts'
import { submitGaslessTx } from '../api/gaslessCalls.ts'
import type { send } from '../api/send.ts'
import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import { freeze } from '../core/freeze.ts'
import type { networkOf } from '../evm/networks.ts'
import type { InvalidChainIdError } from '../evm/values.ts'
import { lightSignedMessages } from '../schema/light.ts'
import { readRecord } from '../schema/readRecord.ts'
import { checksumOf } from './check/compare.ts'
import { isOwn, plain, readPrepared } from './check/readPrepared.ts'
import { readNetwork } from './check/readRedeemTerms.ts'
import { InvalidRedeemRequestError, StoredRedeemError } from './errors.ts'
import { carryOpenRedeem, openRedeemOf } from './openRedeem.ts'
import type { RedeemPins, RedeemRequest, SignedRedeem, SubmittedRedeem } from './preparedRedeem.ts'

/**
 * Submits a signed redeem to the service. Safe to call again: the nonce is single use, and the service returns the same hash for a repeated
 * request. For stored data, `pinned` is required.
 *
 * @returns plain data for `waitForRedeem` and `findRedeem`. The hash is reported by the service; the transaction is not mined yet,
 * and a fee replacement changes the hash
 * @throws OutcomeUnknownError, with the service's error as `cause`, and RequestAbortedError once the request was sent: the redeem
 * may still execute, see `isOpenRedeemError`
 * @throws before the request: PinsRequiredError; StoredRedeemError and PreparedMismatchError for changed data;
 * InvalidRedeemRequestError for another merchant's client
 * @see PROTOCOL.md 2.2 and 7
 * @example
 * ```ts
 * import { type createPaymentsClient, type SignedRedeem, submitRedeem } from 'redeemkit'
 * const submit = (client: createPaymentsClient.ReturnType, signed: SignedRedeem) => submitRedeem(client, { signed })
 * ```
 */
export async function submitRedeem(
  client: PaymentsClient,
  options: submitRedeem.Options,
): Promise<SubmittedRedeem> {
  checkOptions(options, optionKinds)
  const { pinned, request } = options
  const signed = plain(options.signed)
  const { version, prepared } = signed
  const { checksum, ...rest } = prepared ?? {}
  if (version !== 1 || checksum !== checksumOf(rest))
    throw new StoredRedeemError('The data is not a signed redeem of version 1, or it was changed.', {
      field: 'signed',
      fix: 'Pass what signRedeem returned. If it may already be submitted, look it up first with findRedeem.',
    })
  // The redeem is already signed, so expiry and `allowRandomNonce` are not checked again.
  if (!isOwn(options.signed) || pinned !== undefined)
    readPrepared(prepared, { pinned, request, now: null, allowRandomNonce: true })
  const { merchantId, wallet, blockchain, chainId, answer } = prepared
  if (merchantId !== client.merchantId)
    throw new InvalidRedeemRequestError('The redeem and the client are for different merchants.', {
      field: 'merchantId',
      fix: 'Pass a client with the `merchantId` of the redeem.',
    })
  readNetwork(client, chainId)
  const { validBefore, nonce, creditsRawAmount } = answer
  const signedMessages = readRecord(lightSignedMessages, signed.signedMessages, {
    record: 'The body of sendGaslessTx',
    field: 'signedMessages',
  })
  const open = openRedeemOf(signed)
  const { signed: _, ...key } = open
  try {
    const { hash } = await submitGaslessTx(
      client,
      { merchantId, ...prepared.request, signedMessages, validBefore, nonce, creditsRawAmount },
      { wallet, blockchain, signal: options.signal, timeoutMs: options.timeoutMs },
    )
    return freeze({ version: 1, ...key, hash })
  } catch (error) {
    // Errors from before the request are thrown unchanged.
    const isSent = error instanceof OutcomeUnknownError || error instanceof RequestAbortedError
    throw isSent && error.remedy === 'lookUp' ? carryOpenRedeem(error, open) : error
  }
}

const optionKinds: OptionKinds<submitRedeem.Options> = {
  signed: 'any',
  pinned: 'any',
  request: 'any',
  signal: 'object?',
  timeoutMs: 'any',
}

export declare namespace submitRedeem {
  type Options = {
    signed: SignedRedeem
    /** Your pins. Required for stored data; optional for the object that `signRedeem` returned. */
    pinned?: RedeemPins | undefined
    /** Your request. Stored data of another request is rejected. */
    request?: RedeemRequest | undefined
    signal?: AbortSignal | undefined
    /** Timeout of the request. Default: the client's. */
    timeoutMs?: number | undefined
  }
  type ReturnType = SubmittedRedeem
  type ErrorType =
    | readPrepared.ErrorType
    | networkOf.ErrorType
    | InvalidChainIdError
    | OutcomeUnknownError
    | send.ErrorType
}
