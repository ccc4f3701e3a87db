import type { Context } from 'hono'
import type * as z from 'zod/mini'
import { parseJson } from '../../../redeemkit/core/json/parseJson.ts'
import { parseRecord } from '../../../redeemkit/schema/parseRecord.ts'
import { problem } from './problem.ts'
import type { AppEnv } from './route.ts'

/** A body larger than this is refused: call data of a few contracts fits many times over. */
const maxBodyBytes = 256 * 1024

/**
 * Reads a request's JSON body as one strict wire record.
 *
 * Numbers are never rounded on the way: `parseJson`, not `Request.json`.
 *
 * @throws ServiceProblem for the wrong media type and for too many bytes; InvalidJsonError, UnsafeJsonNumberError,
 * InvalidRecordError, all of which the service answers with 400
 */
export async function readBody<schema extends z.core.$ZodType>(
  context: Context<AppEnv>,
  schema: schema,
): Promise<z.output<schema>> {
  const mediaType = context.req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
  const encoding = context.req.header('content-encoding')
  if (mediaType !== 'application/json' || (encoding !== undefined && encoding !== 'identity'))
    throw problem('UNSUPPORTED_MEDIA_TYPE', 'The body must be plain JSON: content-type: application/json.')
  const bytes = await readBytes(context.req.raw)
  if (bytes.length === 0)
    throw problem('INVALID_REQUEST', 'The body is empty; it must be a JSON object.', { issues: ['body'] })
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw problem('INVALID_REQUEST', 'The body is not UTF-8.', { cause, issues: ['body'] })
  }
  const value = parseJson(text, { field: 'body' })
  if (isDeeper(value, maxDepth))
    throw problem('INVALID_REQUEST', `The body is nested more than ${maxDepth} deep.`, { issues: ['body'] })
  return parseRecord(schema, value, { record: 'The body' })
}

/** Whoever walks through a body calls itself once for each of these. */
const maxDepth = 64

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth === 0 || Object.values(value).some((part) => isDeeper(part, depth - 1))
}

/**
 * The bytes of a request's body.
 *
 * @throws ServiceProblem for too many
 */
export async function readBytes(request: Request): Promise<Uint8Array> {
  const tooLarge = () =>
    problem('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBodyBytes} bytes.`, {
      details: { maxBodyBytes },
    })
  const length = request.headers.get('content-length')
  if (Number(length ?? 0) > maxBodyBytes) throw tooLarge()
  if (length !== null) {
    // Node's server lets no more come than that; it gives the whole for less work than a stream of it.
    const whole = new Uint8Array(await request.arrayBuffer())
    if (whole.length > maxBodyBytes) throw tooLarge()
    return whole
  }
  if (request.body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = request.body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > maxBodyBytes) {
      await reader.cancel()
      throw tooLarge()
    }
    chunks.push(value)
  }
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}
