import type { Address, Hex } from 'viem'
import { checkOptions, type OptionKinds } from '../../core/checkOptions.ts'
import type { Clock } from '../../core/clock.ts'
import { InvalidTransactionError } from '../../core/errors/inputErrors.ts'
import { checkAddress } from '../../evm/checkAddress.ts'
import type { EvmClient } from '../../evm/client.ts'
import { checkHex, checkUint } from '../../evm/values.ts'
import { checkWebAuthnExpectation, type WebAuthnExpectation } from '../signature/webAuthnExpectation.ts'

/** The expected Tempo transaction. A transaction that differs is refused. */
export type TempoTransactionExpectation = {
  chainId: number
  /** The customer, who sends the transaction. */
  account: Address
  /** The calls that the transaction must make, in this order and without value. */
  calls: readonly { to: Address; data: Hex }[]
  /** Whether a sponsor must pay the fee. Default true. */
  sponsored?: boolean | undefined
  /** The address of the expected sponsor. It is compared once the sponsor has signed. */
  feePayer?: Address | undefined
  /** The token in which the fee must be paid. Required if the customer pays. A sponsor may choose another token. */
  feeToken?: Address | undefined
  /**
   * Maximum fee, in raw units of a 6-decimal dollar token. Default: 1 USD if the customer pays; no limit if a sponsor pays, because the
   * sponsor sets its own limit.
   */
  maxFee?: bigint | undefined
  nonce?: bigint | undefined
  /** The nonce key. Default 0, the account's ordinary nonces. 2^256 - 1 is the key of expiring nonces (TIP-1009). */
  nonceKey?: bigint | undefined
  /**
   * The latest allowed `validBefore`, in unix seconds. A transaction with a later expiry or without one is refused. A sponsor should set
   * this field, because the customer decides when to send. If absent, an expiry later than a permit may have is only a warning.
   */
  maxValidBefore?: bigint | undefined
  /** The pinned credits contract. Calls to it are described as credits calls. */
  creditsContract?: Address | undefined
  /** For passkeys: the expected relying party and pages. */
  webAuthn?: WebAuthnExpectation | undefined
  /** Reads the chain. Required to verify an access key's signature. */
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

/** Checks an expectation and sets its defaults. Refuses an unknown field, because it could not be compared. */
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
