import type { Context } from 'hono'
import * as z from 'zod/mini'
import { parseRecord } from '../../../redeemkit/schema/parseRecord.ts'
import { readBody, readBytes } from './readBody.ts'
import type { AppEnv } from './route.ts'

/** The answer to a page of the sandbox: of its form, or as JSON from a program. */
export async function readAnswer<const word extends string>(
  context: Context<AppEnv>,
  words: readonly [word, ...word[]],
): Promise<{ answer: word; isForm: boolean }> {
  const body = z.strictObject({ answer: z.enum(words) })
  const isForm = context.req.header('content-type')?.startsWith('application/x-www-form-urlencoded') ?? false
  if (!isForm) return { answer: (await readBody(context, body)).answer, isForm }
  const text = new TextDecoder().decode(await readBytes(context.req.raw))
  const form = parseRecord(body, Object.fromEntries(new URLSearchParams(text)), { record: 'The form' })
  return { answer: form.answer, isForm }
}
