import type { Context } from 'hono'
import * as z from 'zod/mini'
import { parseRecord } from '../../../schema/parseRecord.ts'
import { problem } from './problem.ts'
import { maxBodyBytes, readBody } from './readBody.ts'
import type { AppEnv } from './route.ts'

/** The answer to a page of the sandbox: of its form, or as JSON from a program. */
export async function readAnswer<const word extends string>(
  context: Context<AppEnv>,
  words: readonly [word, ...word[]],
): Promise<{ answer: word; isForm: boolean }> {
  const body = z.strictObject({ answer: z.enum(words) })
  const isForm = context.req.header('content-type')?.startsWith('application/x-www-form-urlencoded') ?? false
  if (!isForm) return { answer: (await readBody(context, body)).answer, isForm }
  if (!(Number(context.req.header('content-length') ?? 0) <= maxBodyBytes))
    throw problem('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBodyBytes} bytes.`, {
      details: { maxBodyBytes },
    })
  const form = parseRecord(body, await context.req.parseBody(), { record: 'The form' })
  return { answer: form.answer, isForm }
}
