import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { check } from './demoPart.ts'

/**
 * What something ends with, in words for a table. Ends the demo when it goes through, or ends with another error.
 *
 * @param errorName the error's name; any error of ours when absent
 */
export async function refused(run: () => Promise<unknown>, errorName?: string): Promise<string> {
  try {
    await run()
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    const words = `${error.name}: ${error.shortMessage}`
    check(errorName === undefined || error.name === errorName, `it ends with ${errorName}, and not: ${words}`)
    return words
  }
  throw new Error('Not as it should be: it went through.')
}

/** As `refused`, and nothing was asked of the wallet. */
export async function refusedBeforePrompt(
  prompts: { count: number },
  run: () => Promise<unknown>,
  errorName?: string,
): Promise<string> {
  const before = prompts.count
  const why = await refused(run, errorName)
  check(prompts.count === before, 'the wallet is not asked')
  return why
}
