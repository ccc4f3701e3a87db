import { oneLine } from '../../redeemkit/core/errors/oneLine.ts'
import { jsonOf } from './jsonOf.ts'
import { wantsJson } from './wantsJson.ts'

/** Says something on standard error that ends nothing: for a person, or with `--json` as one object on a line. */
export function printWarning(text: string): void {
  console.error(wantsJson() ? jsonOf({ warning: text }) : oneLine(`Warning: ${text}`))
}
