import type { InvalidAmountError } from '../../core/amount/parseAmount.ts'
import type { Environment } from '../../core/blockchains.ts'
import type { InvalidAddressError, UnknownNetworkError } from '../../core/errors/inputErrors.ts'
import { type AddressLike, parseAddress } from '../address/parseAddress.ts'
import { tokenAccountOf } from '../address/tokenAccountOf.ts'
import { invalidOption } from '../checkOptions.ts'
import { networkOf } from '../networks.ts'
import { checkAmount } from './checkAmount.ts'
import { checkRent } from './checkRent.ts'

/**
 * Takes what every description of a transfer says: the network, who pays whom, how much.
 *
 * @throws {@link InvalidAddressError} {@link InvalidAmountError} {@link UnknownNetworkError}; InvalidOptionError
 */
export function transferTerms(given: {
  environment: Environment
  from: AddressLike
  to: AddressLike
  amount: bigint
  references?: readonly AddressLike[] | undefined
  rent?: { lamports: string | number | bigint } | undefined
}) {
  const { environment, references = [], rent } = given
  const network = networkOf(environment)
  const { usdcMint: mint } = network
  const amount = checkAmount(given.amount)
  const from = parseAddress(given.from, { field: 'from' })
  const to = parseAddress(given.to, { field: 'to' })
  if (!Array.isArray(references)) throw invalidOption('references', references, 'Give a list of addresses.')
  return {
    network,
    mint,
    amount,
    from,
    to,
    /** The token accounts that the money leaves and reaches. */
    source: tokenAccountOf({ owner: from, mint }),
    destination: tokenAccountOf({ owner: to, mint }),
    references: references.map((key: AddressLike) => parseAddress(key, { field: 'references' })),
    rent: rent === undefined ? undefined : checkRent(rent),
  }
}

export declare namespace transferTerms {
  type ErrorType = tokenAccountOf.ErrorType | InvalidAddressError | InvalidAmountError | UnknownNetworkError
}
