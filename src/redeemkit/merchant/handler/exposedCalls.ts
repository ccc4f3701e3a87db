import type { Blockchain } from '../../core/blockchains.ts'
import { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { showKey } from '../../core/errors/showValue.ts'
import { endpoints } from '../../schema/endpoints/endpoints.ts'
import { headersOf } from '../client/callRequest.ts'
import type { OneCall } from '../client/callService.ts'
import { type CallPolicy, calls, type EndpointId } from '../client/calls.ts'
import type { AskedOptions, MerchantWideId, OrderOptions } from '../client/callTypes.ts'
import type { MerchantUser, Said } from './readAsked.ts'

/** Calls that a handler exposes, by name. Whatever is not named is a 404. */
export type Exposed<user extends MerchantUser = MerchantUser> = {
  readonly [id in EndpointId]?: ExposeRule<id, user> | (id extends MerchantWideId ? never : true) | undefined
}

/**
 * What becomes of a request: the options that the call is made with, of which nothing is taken from the request by itself; or `false`,
 * which refuses it. `asked()` is what the request asks for, checked; spread it and put your own values behind, and these are pinned.
 */
export type ExposeRule<id extends EndpointId, user extends MerchantUser = MerchantUser> = (
  request: RuleRequest<id, user>,
) => RuleResult<id> | Promise<RuleResult<id>>

export type RuleRequest<id extends EndpointId, user extends MerchantUser = MerchantUser> = Said & {
  user: user
  request: Request
  /** What is asked, by the call's schemas: a request that is not so is answered with a 400, one that names another user with a 403. */
  asked: () => AskedOptions<id>
}

export type RuleResult<id extends EndpointId> =
  | false
  | (AskedOptions<id> &
      OrderOptions<id> & {
        /** Where a user who is known by an id only has things delivered. */
        wallet?: string | undefined
        blockchain?: Blockchain | undefined
        /** Who the user is, the session says. */
        userId?: never
        sessionKey?: never
      })

/** A rule as the handler calls it, whichever call it is for. */
type AnyRule = (request: RuleRequest<EndpointId>) => unknown

export type ExposedCall = OneCall & { rule: AnyRule }

/**
 * The exposed calls, by name.
 *
 * @throws {@link InvalidOptionError} for a name that is no call's, and for a call of the merchant as a whole without a rule
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
      throw new InvalidOptionError(`${id} cannot be exposed so.`, {
        field,
        fix:
          rule === true
            ? `${id} acts for the merchant as a whole, whoever asks. Give a function that says what this user may ask of it.`
            : 'Give a function that says what a user may ask, or true; leave out what is not to be exposed.',
      })
  }
  return found
}

/** Whether a call is told of no customer by its headers, and does what its API key may. */
function isMerchantWide({ endpoint }: OneCall): boolean {
  const headers = headersOf(endpoint)
  return headers.length > 0 && headers.every((key) => key === 'authorization')
}
