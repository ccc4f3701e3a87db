import { inspect } from '../inspect/inspect.ts'
import { checkExpected } from './expected.ts'
import { refuseDangers } from './refuseDangers.ts'

/**
 * Proves a request to be the expected one and nothing else: what stands before every signature of value.
 *
 * Request and options are picked by name. Whatever else came along with them, such as a second request that a dApp put
 * beside the first, must not be inspected in its place.
 *
 * @throws `MissingExpectationError`; `RefusedTransactionError` and its kin; what `inspect` throws
 */
export function guardRequest(
  request: { transaction: string } | { authEntry: string },
  options: inspect.Options & { networkPassphrase?: string | undefined },
): void {
  const { environment, address, expected, latestLedger, maxFee, maxValidForSeconds, now } = options
  checkExpected(expected)
  const { networkPassphrase } = options
  refuseDangers(
    inspect(
      { ...request, networkPassphrase },
      { environment, address, expected, latestLedger, maxFee, maxValidForSeconds, now },
    ),
  )
}
