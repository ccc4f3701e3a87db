import type { Blockchain } from '../core/blockchains.ts'
import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { showKey } from '../core/errors/showValue.ts'
import { endpoints } from '../schema/endpoints/endpoints.ts'
import type { OneCall } from './callService.ts'
import { type CallPolicy, calls, type EndpointId } from './calls.ts'
import type { AskedOptions, EndpointOf, ExtraFields, MerchantWideId, OrderOptions } from './callTypes.ts'
import type { MerchantUser, Said } from './readAsked.ts'

/** The calls that a handler exposes, by name. Any other call is a 404. */
export type Exposed<user extends MerchantUser = MerchantUser> = {
  readonly [id in EndpointId]?: ExposeRule<id, user> | (id extends MerchantWideId ? never : true) | undefined
}

/**
 * Returns the options of the call, or `false` to reject the request. `asked()` returns the options of the request after a check. To
 * set a value yourself, put it after `...asked()`.
 */
export type ExposeRule<id extends EndpointId, user extends MerchantUser = MerchantUser> = (
  request: RuleRequest<id, user>,
) => RuleResult<id> | Promise<RuleResult<id>>

export type RuleRequest<id extends EndpointId, user extends MerchantUser = MerchantUser> = Said & {
  user: user
  request: Request
  /**
   * Returns the request's options after checking them with the call's schemas. If this function throws, the page gets a 400 for an invalid
   * request, or a 403 for a request that names a different user.
   */
  asked: () => AskedOptions<id>
}

export type RuleResult<id extends EndpointId> =
  | false
  | (AskedOptions<id> &
      OrderOptions<id> &
      ExtraFields<EndpointOf<id>> & {
        /** Delivery wallet of a user who has none in the session. */
        wallet?: string | undefined
        blockchain?: Blockchain | undefined
        /** The session sets the user id. */
        userId?: never
        sessionKey?: never
      })

type AnyRule = (request: RuleRequest<EndpointId>) => unknown

export type ExposedCall = OneCall & { rule: AnyRule }

/**
 * Checks the exposed calls, and returns each with its endpoint and rule.
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
            : 'Pass true, or a function that decides what a user may do. Leave out a call to hide it.',
      })
  }
  return found
}

/** Whether a call needs only the API key, and no header that names a customer: it acts with all rights of the key. */
function isMerchantWide({ endpoint: { headers } }: OneCall): boolean {
  const { required } = headers
  return !('oneOf' in headers) && required.length > 0 && required.every((key) => key === 'authorization')
}
