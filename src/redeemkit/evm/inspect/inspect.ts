import { showValue } from '../../core/errors/showValue.ts'
import { finding } from '../../core/finding/finding.ts'
import { createInspection, createRefusal, refusedInspection } from '../../core/inspection/createInspection.ts'
import type { Inspection } from '../../core/inspection/inspection.ts'
import { sentence, textValue } from '../../core/inspection/values.ts'
import { redeemIntentMethod } from '../creditPermit/disclosedIntent.ts'
import {
  type InspectContext,
  type ReadContext,
  readInspectContext,
  withIntentError,
} from '../creditPermit/inspectOptions.ts'
import { readOwnField, readPlainData } from '../plainData.ts'
import { checkRecord } from '../values.ts'
import { inspectPersonalSign } from './inspectPersonalSign.ts'
import { inspectCalls, inspectTransaction } from './inspectTransaction.ts'
import { inspectTypedData, notText } from './inspectTypedData.ts'
import { isAddress, parameterLines } from './otherTypedData.ts'

/**
 * Describes a request to an EVM wallet, and lists its problems.
 *
 * Recognizes credit permits, USDC authorizations, cancellations of both, and token permits (`eth_signTypedData_v4`); sign-in messages
 * (`personal_sign`); and transfers and approvals in transactions (`eth_sendTransaction`, `wallet_sendCalls`). Any other request
 * has kind `unknown`. Never throws.
 *
 * The verdict is `ok` only if every value of the request was compared. For a redeem, this requires the purchase that the page disclosed
 * (`intent`), and one pinned entry with its contract, credit seed, merchant, receiver and page (PROTOCOL.md 4.7).
 *
 * @param request the request as the wallet receives it: `{ method, params }` (EIP-1193)
 * @param context the wallet's own values: page, account, chain, pinned shops, the disclosed purchase
 * @example
 * ```ts
 * import { inspect } from 'redeemkit/evm'
 * inspect({ method: 'personal_sign', params: ['hello', '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'] }).verdict // 'caution'
 * ```
 */
export function inspect(request: inspect.Request, context: InspectContext = {}): Inspection<inspect.Details> {
  let held: ReadContext
  try {
    held = readInspectContext(context)
  } catch (error) {
    return createRefusal(error, 'INVALID_EXPECTATION')
  }
  return inspectIn(held, request)
}

/** Like {@link inspect}, for a context that was already checked. */
export function inspectIn(context: ReadContext, request: inspect.Request): Inspection<inspect.Details> {
  try {
    return inspectRequest(request, context)
  } catch (error) {
    return createRefusal(error, 'MALFORMED')
  }
}

export declare namespace inspect {
  type Request = { method: string; params?: unknown }
  type Context = InspectContext
  type Details = inspectTypedData.Details | inspectPersonalSign.Details
}

function inspectRequest(request: inspect.Request, context: ReadContext): Inspection<inspect.Details> {
  const record = checkRecord(request, 'request')
  const method = readPlainData(readOwnField(record, 'method'), 'method')
  if (typeof method !== 'string') throw notText('method')
  const params = readPlainData(readOwnField(record, 'params'), 'params')
  // some wallets also accept a single parameter that is not in a list
  const list: readonly unknown[] = Array.isArray(params) ? params : params === undefined ? [] : [params]
  if (method === redeemIntentMethod)
    return inspectTypedData(list[1], list[0], withIntentError(context, list[2]))
  // eth_signTypedData has two forms: typed data, as EIP-712 specifies, or a list of fields (version 1), as in older wallets
  if (method === 'eth_signTypedData_v3' || (method === 'eth_signTypedData' && isAddress(list[0])))
    return inspectTypedData(list[1], list[0], context)
  if (/^(?:eth|wallet)_(?:send|sign|fill)Transaction(?:Sync)?$/.test(method) && list.length > 0)
    return inspectTransaction(list[0], context)
  if (method === 'wallet_sendCalls' && list.length > 0) return inspectCalls(list[0], context)
  if (method === 'personal_sign') return inspectPersonalSign(list, context)
  if (/^eth_sign(?:TypedData(?:_v1)?)?$/.test(method))
    return refusedInspection([
      finding(
        'danger',
        'BLIND_SIGNATURE',
        method === 'eth_sign'
          ? 'The request signs bytes that cannot be read: they could be a transaction.'
          : 'The typed data has version 1, which names no site or contract: the signature could be used anywhere.',
        { field: 'method', fix: 'Use eth_signTypedData_v4 or personal_sign.' },
      ),
    ])
  if (method === 'wallet_signAuthorization' || method === 'eth_signAuthorization')
    return refusedInspection([
      finding(
        'danger',
        'ACCOUNT_DELEGATION',
        'The request would let other code act as your account (EIP-7702).',
        { field: 'method', fix: 'Do not sign it: a page must not ask for this.' },
      ),
    ])
  return createInspection({
    kind: 'unknown',
    title: sentence('unknown.request', { method: textValue(showValue(method)) }),
    lines: parameterLines(list),
    findings: [
      finding('warning', 'UNKNOWN_REQUEST', `The request ${showValue(method)} is unknown.`, {
        field: 'method',
        fix: 'Sign it only if you know what it does: its effect was not checked.',
      }),
    ],
    details: undefined,
  })
}
