import type { PaymentsClient } from '../api/createPaymentsClient.ts'
import { OutcomeUnknownError, RequestAbortedError } from '../api/errors.ts'
import { submitGaslessTx } from '../api/gaslessCalls.ts'
import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import { freeze } from '../core/freeze.ts'
import { lightSignedMessages } from '../schema/light/records.ts'
import { readRecord } from '../schema/readRecord.ts'
import { checksumOf } from './check/checksumOf.ts'
import { isOwn, plain, readPrepared } from './check/readPrepared.ts'
import { InvalidRedeemRequestError, StoredRedeemError } from './errors.ts'
import { carryOpenRedeem, openRedeemOf } from './openRedeem.ts'
import type { RedeemPins, RedeemRequest, SignedRedeem, SubmittedRedeem } from './preparedRedeem.ts'
import { readNetwork } from './request/readRedeemTerms.ts'

/**
 * Sends a signed redeem to the service, exactly as it was prepared. Data that was stored in between cannot vouch for the
 * contract whose word you wait for, so `pinned` must then be given again. Safe to call again: the nonce is single use, and the
 * service answers a repetition with the hash that it has.
 *
 * @returns plain data that `waitForRedeem` and `findRedeem` take as it is. The hash is the service's word, broadcast and not
 * yet mined; a fee replacement changes it.
 * @throws OutcomeUnknownError for every failure after it has left, with what the service said as `cause`, and
 * RequestAbortedError with remedy `lookUp` when `signal` aborts then: both carry what `isOpenRedeemError` tells, to look at
 * the chain and to send the same again
 * @throws before anything leaves: PinsRequiredError, StoredRedeemError and
 * PreparedMismatchError for stored data that is no signed redeem or is another one (its fields are read again, with the errors
 * of `prepareRedeem` for those at fault), InvalidRedeemRequestError for another client
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
  if (version !== 1 || prepared?.version !== 1 || checksum !== checksumOf(rest))
    throw new StoredRedeemError('This is no signed redeem of version 1, or it was changed since.', {
      field: 'signed',
      fix: 'Pass what signRedeem returned. When it may have been sent before, look at the chain first (findRedeem).',
    })
  // It was signed already: what may only be said before a signature, its time and allowUnbound, is not asked again.
  if (!isOwn(options.signed) || pinned !== undefined)
    readPrepared(prepared, { pinned, request, now: null, allowUnbound: true })
  const { merchantId, wallet, blockchain, chainId, answer } = prepared
  if (merchantId !== client.merchantId)
    throw new InvalidRedeemRequestError('The redeem was prepared for another merchant than the client’s.', {
      field: 'merchantId',
      fix: 'Submit it with the client of its merchant.',
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
    // What failed before it left stays what it is.
    if (error instanceof OutcomeUnknownError) throw carryOpenRedeem(error, open)
    if (error instanceof RequestAbortedError && error.remedy === 'lookUp') throw carryOpenRedeem(error, open)
    throw error
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
    /** Your pins, again. Must be given for data that was stored; may be left out for the very object that `signRedeem` returned. */
    pinned?: RedeemPins | undefined
    /** Your request, again: refuses stored data that stands for another one. */
    request?: RedeemRequest | undefined
    signal?: AbortSignal | undefined
    /** Longest wait for the answer. Default: the client's. */
    timeoutMs?: number | undefined
  }
  type ReturnType = SubmittedRedeem
  type ErrorType =
    | checkOptions.ErrorType
    | plain.ErrorType
    | readPrepared.ErrorType
    | readNetwork.ErrorType
    | readRecord.ErrorType
    | submitGaslessTx.ErrorType
    | InvalidRedeemRequestError
}
