import type { Context } from 'hono'
import type * as z from 'zod/mini'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { InvalidRecordError } from '../../../redeemkit/core/errors/inputErrors.ts'
import { orderIdProblem } from '../../../redeemkit/core/orderId.ts'
import { parseJson } from '../../../redeemkit/core/parseJson.ts'
import { parseRecord } from '../../../redeemkit/schema/parseRecord.ts'
import { readLimited } from '../../servers/listen.ts'
import { invalid, problem, ServiceProblem } from './problem.ts'
import type { AppEnv } from './route.ts'

/** Checks a merchant or purchase id that no schema has checked. The error does not quote the id, which may be a misplaced card number. */
export function checkId(id: string, field: 'merchantId' | 'purchaseId'): void {
  const reason = orderIdProblem(id)
  if (reason !== undefined) throw invalid(field, `${field} ${reason}.`)
}

/** Maximum body size. Call data for several contracts is much smaller. */
const maxBodyBytes = 256 * 1024

/** Reads a JSON body as a strict wire record. Uses `parseJson`, because `Request.json` would round large numbers. */
export async function readBody<schema extends z.core.$ZodType>(
  context: Context<AppEnv>,
  schema: schema,
): Promise<z.output<schema>> {
  const mediaType = context.req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
  const encoding = context.req.header('content-encoding')
  if (mediaType !== 'application/json' || (encoding !== undefined && encoding !== 'identity'))
    throw problem('UNSUPPORTED_MEDIA_TYPE', 'Send uncompressed JSON with content-type: application/json.')
  const bytes = await readBytes(context.req.raw)
  if (bytes.length === 0) throw invalid('body', 'The body is empty; it must be a JSON object.')
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch (cause) {
    throw invalid('body', 'The body is not UTF-8. Encode it as UTF-8.', cause)
  }
  const value = parseJson(text, { field: 'body' })
  if (isDeeper(value, maxDepth))
    throw invalid('body', `The body is nested more than ${maxDepth} levels deep.`)
  const record = parseRecord(schema, value, { record: 'The body' })
  checkStorable(record)
  return record
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Rejects text and field names that PostgreSQL cannot store: NUL, and unpaired surrogates, which have no UTF-8 form. */
function checkStorable(value: unknown, path = 'body'): void {
  if (typeof value === 'string' && notStorable.test(value))
    throw invalid(path, 'The text has a NUL character or half of a surrogate pair. Remove it.')
  if (typeof value !== 'object' || value === null) return
  for (const [name, part] of Object.entries(value)) {
    checkStorable(name, path)
    checkStorable(part, path === 'body' ? name : `${path}.${name}`)
  }
}

const notStorable = /\0|\p{Surrogate}/u

/** Maximum depth of a body, which limits the recursion of functions that walk it. */
const maxDepth = 64

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth === 0 || Object.values(value).some((part) => isDeeper(part, depth - 1))
}

export async function readBytes(request: Request): Promise<Uint8Array> {
  const bytes = await readLimited(request, maxBodyBytes)
  if (bytes !== undefined) return bytes
  throw problem('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBodyBytes} bytes.`, {
    details: { maxBodyBytes },
  })
}

/**
 * Reads a body that may contain card data or personal data, even in wrong fields. Errors and the log quote no values, and no field names
 * that could be card numbers.
 */
export async function readPrivateBody<schema extends z.core.$ZodType>(
  context: Context<AppEnv>,
  schema: schema,
): Promise<z.output<schema>> {
  try {
    return await readBody(context, schema)
  } catch (error) {
    if (!(error instanceof BaseError) || error instanceof ServiceProblem) throw error
    const paths = error instanceof InvalidRecordError ? error.issues.map(({ path }) => path) : []
    const issues = [
      ...new Set(
        paths.map((path) =>
          /^[A-Za-z][A-Za-z0-9_.[\]]*$/.test(path) && !/\d{8}/.test(path) ? path : 'body',
        ),
      ),
    ]
    // Omits the cause, which quotes the body.
    throw problem('INVALID_REQUEST', `The body is invalid: ${issues.join(', ') || 'not JSON'}.`, {
      issues: issues.length === 0 ? ['body'] : issues.slice(0, 50),
    })
  }
}
