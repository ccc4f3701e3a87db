import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'

/** A rule that cannot be judged here. The report says so, with the reason (`notJudged`). */
export class RuleNotJudgedError extends BaseError {
  override readonly name = 'RuleNotJudgedError'
}
