import { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import type { EndpointHeader } from '../../schema/endpoints/endpoint.ts'
import type { RecordSchema } from '../../schema/readRecord.ts'
import { freeObject } from '../../schema/values.ts'
import type { AnyCall, CallMethod } from './callService.ts'
import type { HeaderValues, SendOptions } from './callTypes.ts'

/** Makes a call that the client has no method for. */
export type MerchantRequest = (
  method: CallMethod,
  path: string,
  options?: MerchantRequestOptions,
) => Promise<unknown>

export type MerchantRequestOptions = {
  readonly [name in keyof HeaderValues]?: HeaderValues[name] | undefined
} & SendOptions & {
    /** Query parameters. */
    query?: Readonly<Record<string, unknown>> | undefined
    /** JSON object, for methods other than GET. Not checked. */
    body?: Readonly<Record<string, unknown>> | undefined
  }

const methods: readonly CallMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const headers = [
  'wallet',
  'blockchain',
  'userId',
  'sessionKey',
  'signedMessage',
  'clientIp',
  'deviceId',
] as const

/**
 * Describes a call that is not in the endpoint table.
 *
 * @throws {@link InvalidOptionError} for another method, or a path that is not one of the API
 */
export function describedCall(method: CallMethod, path: string, options: MerchantRequestOptions): AnyCall {
  if (!methods.includes(method))
    throw new InvalidOptionError(`${showValue(method)} is not a method that can be sent.`, {
      field: 'method',
      fix: `Pass one of ${methods.join(', ')}.`,
    })
  if (!isApiPath(path))
    throw new InvalidOptionError('The path cannot be used.', {
      field: 'path',
      fix: 'Pass a path from `/api/`, in ASCII, with each part URL-encoded. Pass query parameters as `query`.',
    })
  const optional: EndpointHeader[] = [...headers]
  // Only where the caller names one: most calls do not take this header.
  if (options.merchantId !== undefined) optional.push('merchantId')
  return {
    endpoint: {
      id: 'request',
      method,
      path,
      headers: { required: ['authorization'], optional },
      query: freeObject,
      ...(method !== 'GET' && options.body !== undefined && { body: freeObject }),
    },
    policy:
      method === 'GET'
        ? { repeatable: true }
        : {
            repeatable: 'never',
            body: 'private',
            lookUp: 'The request may have been carried out. Check at the service before you repeat it.',
          },
    answer: anything,
  }
}

const anything: RecordSchema<unknown> = { safeParse: (data) => ({ success: true, data }), isAny: true }

/** Whether a path is below `/api/`, is printable ASCII (percent-encoded or not), and has neither a query nor `.` or `..` segments. */
function isApiPath(path: unknown): path is `/api/${string}` {
  return (
    typeof path === 'string' &&
    /^\/api(?:\/(?:[\w\-.~!$&'()*+,;=:@]|%[2-7][\da-f])+)+$/i.test(path) &&
    !/(?:\/|%2f|%5c)(?:\.|%2e){1,2}(?:$|\/|%2f|%5c)/i.test(path)
  )
}
