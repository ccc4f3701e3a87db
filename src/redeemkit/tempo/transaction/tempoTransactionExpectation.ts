import type { Address, Hex } from 'viem'
import type { InvalidAmountError } from '../../core/amount/parseAmount.ts'
import { checkOptions, type OptionKinds } from '../../core/checkOptions.ts'
import type { Clock } from '../../core/clock.ts'
import { type InvalidAddressError, InvalidTransactionError } from '../../core/errors/inputErrors.ts'
import { checkAddress } from '../../evm/checkAddress.ts'
import type { EvmClient } from '../../evm/client.ts'
import { checkHex, checkUint, type InvalidHexError } from '../../evm/values.ts'
import { checkWebAuthnExpectation, type WebAuthnExpectation } from '../verify/webAuthnExpectation.ts'

/** The expected Tempo transaction. Everything else is refused. */
export type TempoTransactionExpectation = {
  chainId: number
  /** The customer, who sends it. */
  account: Address
  /** Exactly these calls, in this order, without value. */
  calls: readonly { to: Address; data: Hex }[]
  /** Whether a sponsor must pay the fee. Default true. */
  sponsored?: boolean | undefined
  /** The expected sponsor, compared once it has signed. */
  feePayer?: Address | undefined
  /** The token that the fee must be paid in. Required if the customer pays; a sponsor may choose its own. */
  feeToken?: Address | undefined
  /**
   * Maximum fee, in raw units of a 6-decimal dollar token. Default: 1 USD if the customer pays. If a sponsor pays, there is no limit by
   * default, because the sponsor sets its own.
   */
  maxFee?: bigint | undefined
  nonce?: bigint | undefined
  /** Default 0, the account's ordinary nonces. 2^256 - 1 is the key of transactions that expire instead (TIP-1009). */
  nonceKey?: bigint | undefined
  /**
   * Unix seconds: the latest `validBefore`. A transaction with a later expiry or none is refused. A sponsor should set it, because it
   * pays whenever the customer sends. Without it, a life above the maximum of a permit is a warning.
   */
  maxValidBefore?: bigint | undefined
  /** The credits contract that the caller trusts. Its calls are described as credits calls. */
  creditsContract?: Address | undefined
  /** For passkeys: the expected relying party and pages. */
  webAuthn?: WebAuthnExpectation | undefined
  /** Reads the chain; needed to verify an access key's signature. */
  client?: EvmClient | undefined
  now?: Clock | undefined
}

const kinds: OptionKinds<TempoTransactionExpectation> = {
  chainId: 'any',
  account: 'any',
  calls: 'any',
  sponsored: 'boolean?',
  feePayer: 'any',
  feeToken: 'any',
  maxFee: 'any',
  nonce: 'any',
  nonceKey: 'any',
  maxValidBefore: 'any',
  creditsContract: 'any',
  webAuthn: 'any',
  client: 'object?',
  now: 'any',
}

/**
 * Checks an expectation and sets its defaults. An unknown field is an error, because the caller expects it to be compared.
 *
 * @throws InvalidOptionError naming the option, and for an unknown one the nearest known name; {@link InvalidAddressError},
 * {@link InvalidAmountError}, {@link InvalidHexError}, {@link InvalidTransactionError} for a value that cannot be compared
 */
export function checkTempoExpectation(expected: TempoTransactionExpectation): TempoTransactionExpectation {
  checkOptions(expected, kinds, 'expected')
  checkWebAuthnExpectation(expected.webAuthn)
  if (!Array.isArray(expected.calls))
    throw new InvalidTransactionError('The expected calls are missing.', {
      field: 'calls',
      fix: 'Pass the list of expected calls. It may be empty.',
    })
  for (const name of ['maxFee', 'nonce', 'nonceKey', 'maxValidBefore'] as const)
    if (expected[name] !== undefined) checkUint(expected[name], `expected.${name}`)
  const address = (name: 'feePayer' | 'feeToken' | 'creditsContract') =>
    expected[name] === undefined ? {} : { [name]: checkAddress(expected[name], name) }
  return {
    ...expected,
    sponsored: expected.sponsored ?? true,
    nonceKey: expected.nonceKey ?? 0n,
    account: checkAddress(expected.account, 'account'),
    calls: expected.calls.map((call, index) => {
      const { to, data } = checkOptions(call, { to: 'any', data: 'any' }, `calls.${index}`)
      return { to: checkAddress(to, `calls.${index}.to`), data: checkHex(data, `calls.${index}.data`) }
    }),
    ...address('feePayer'),
    ...address('feeToken'),
    ...address('creditsContract'),
  }
}
