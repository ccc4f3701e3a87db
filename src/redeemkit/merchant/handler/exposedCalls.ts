import type { Blockchain } from '../../core/blockchains.ts'
import { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { showKey } from '../../core/errors/showValue.ts'
import { endpoints } from '../../schema/endpoints/endpoints.ts'
import type { OneCall } from '../client/callService.ts'
import { type CallPolicy, calls, type EndpointId } from '../client/calls.ts'
import type {
  AskedOptions,
  EndpointOf,
  ExtraFields,
  MerchantWideId,
  OrderOptions,
} from '../client/callTypes.ts'
import type { MerchantUser, Said } from './readAsked.ts'

/** The calls that a handler exposes, by name. Any other is a 404. */
export type Exposed<user extends MerchantUser = MerchantUser> = {
  readonly [id in EndpointId]?: ExposeRule<id, user> | (id extends MerchantWideId ? never : true) | undefined
}

/**
 * Returns the options of the call, or `false` to reject the request. `asked()` returns the checked options of the request; spread
 * it and add your own values after it to pin them.
 */
export type ExposeRule<id extends EndpointId, user extends MerchantUser = MerchantUser> = (
  request: RuleRequest<id, user>,
) => RuleResult<id> | Promise<RuleResult<id>>

export type RuleRequest<id extends EndpointId, user extends MerchantUser = MerchantUser> = Said & {
  user: user
  request: Request
  /**
   * The request's options, checked by the call's schemas. An invalid request is answered with a 400, one that names another user
   * with a 403.
   */
  asked: () => AskedOptions<id>
}

export type RuleResult<id extends EndpointId> =
  | false
  | (AskedOptions<id> &
      OrderOptions<id> &
      ExtraFields<EndpointOf<id>> & {
        /** Delivery wallet for a user who is known only by an id. */
        wallet?: string | undefined
        blockchain?: Blockchain | undefined
        /** Set by the session. */
        userId?: never
        sessionKey?: never
      })

type AnyRule = (request: RuleRequest<EndpointId>) => unknown

export type ExposedCall = OneCall & { rule: AnyRule }

/**
 * Returns the exposed calls, by name.
 *
 * @throws {@link InvalidOptionError} for an unknown call, and for a merchant-wide call without a rule
 */
export function exposedCalls(expose: Readonly<Record<string, unknown>>): ReadonlyMap<string, ExposedCall> {
  const found = new Map<string, ExposedCall>()
  for (const [id, rule] of Object.entries(expose)) {
    if (rule === undefined) continue
    const endpoint = endpoints.find((one) => one.id === id)
    const field = `expose.${showKey(id)}`
    if (endpoint === undefined)
      throw new InvalidOptionError('There is no such call.', {
        field,
        fix: 'Use the name of a method of the client.',
      })
    const policy: CallPolicy = calls[endpoint.id]
    const call = { endpoint, policy }
    if (typeof rule === 'function') found.set(id, { ...call, rule: rule as AnyRule })
    else if (rule === true && !isMerchantWide(call)) found.set(id, { ...call, rule: ({ asked }) => asked() })
    else
      throw new InvalidOptionError(`${field} must be a function${rule === true ? '' : ' or true'}.`, {
        field,
        fix:
          rule === true
            ? `${id} acts for the merchant as a whole. Pass a function that decides what this user may do.`
            : 'Pass a function that decides what a user may do, or true. Leave out calls that are not exposed.',
      })
  }
  return found
}

/** Whether a call needs no header that names a customer, so that it acts with the full rights of the API key. */
function isMerchantWide({ endpoint: { headers } }: OneCall): boolean {
  const { required } = headers
  return !('oneOf' in headers) && required.length > 0 && required.every((key) => key === 'authorization')
}
