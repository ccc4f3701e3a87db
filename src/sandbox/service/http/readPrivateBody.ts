import type { Context } from 'hono'
import type * as z from 'zod/mini'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { InvalidRecordError } from '../../../redeemkit/core/errors/inputErrors.ts'
import { problem, ServiceProblem } from './problem.ts'
import { readBody } from './readBody.ts'
import type { AppEnv } from './route.ts'

/**
 * `readBody` for a body that may hold card data, or a person's, also where it should not: no error of it quotes a value, and none names a
 * field that could be a number. Neither does the log.
 *
 * @throws ServiceProblem
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
    // Without its cause, which quotes what came.
    throw problem('INVALID_REQUEST', `The body is not what it must be: ${issues.join(', ') || 'not JSON'}.`, {
      issues: issues.length === 0 ? ['body'] : issues.slice(0, 50),
    })
  }
}
