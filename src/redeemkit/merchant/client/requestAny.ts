import { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import type { EndpointHeader } from '../../schema/endpoints/routes.ts'
import type { RecordSchema } from '../../schema/readRecord.ts'
import { freeObject } from '../../schema/values.ts'
import type { AnyCall, CallMethod } from './callService.ts'
import type { HeaderValues, SendOptions } from './callTypes.ts'

/** Makes a call for which the client has no method. */
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
 * @throws {@link InvalidOptionError} for an unknown method, or a path that is not below `/api/`
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
  // most calls do not take this header, so it has no default here
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
            lookUp: 'The service may have executed the request. Check that before you repeat the call.',
          },
    answer: anything,
  }
}

const anything: RecordSchema<unknown> = { safeParse: (data) => ({ success: true, data }), isAny: true }

/** Whether a path is below `/api/`, in printable ASCII (also percent-encoded), without a query and without `.` or `..` segments. */
function isApiPath(path: unknown): path is `/api/${string}` {
  return (
    typeof path === 'string' &&
    /^\/api(?:\/(?:[\w\-.~!$&'()*+,;=:@]|%[2-7][\da-f])+)+$/i.test(path) &&
    !/(?:\/|%2f|%5c)(?:\.|%2e){1,2}(?:$|\/|%2f|%5c)/i.test(path)
  )
}
