import type { Address, Hex } from 'viem'
import { checkOptions, type OptionKinds } from '../../core/checkOptions.ts'
import { type InvalidAddressError, InvalidTransactionError } from '../../core/errors/inputErrors.ts'
import { checkNonZeroAddress } from '../../evm/checkAddress.ts'
import { isTempoChain } from '../../evm/networks.ts'
import { checkChainId, checkHex, checkUint } from '../../evm/values.ts'
import { parseTempoTransaction, writeTempoTransaction } from './parseTempoTransaction.ts'
import type { TempoTransaction } from './tempoTransaction.ts'

type Options = buildTempoTransaction.Options
const optionKinds: OptionKinds<Options> = {
  chainId: 'any',
  calls: 'any',
  gas: 'any',
  maxFeePerGas: 'any',
  maxPriorityFeePerGas: 'any',
  nonce: 'any',
  nonceKey: 'any',
  validBefore: 'any',
  validAfter: 'any',
  feeToken: 'any',
  sponsored: 'any',
}
const callKinds: OptionKinds<Options['calls'][number]> = { to: 'any', data: 'any' }

/**
 * Builds an unsigned Tempo transaction. By default a sponsor pays the fee. With `sponsored: false`, the sender pays it in a TIP-20
 * token. Fees are in attodollars (10^-18 USD) per unit of gas. Calls have no value, because Tempo has no native coin.
 *
 * @throws {@link InvalidTransactionError}, {@link InvalidAddressError}, InvalidAmountError; InvalidOptionError for an
 * unknown option
 * @see Tempo Transactions
 * @example
 * ```ts
 * import { buildTempoTransaction } from 'redeemkit/tempo'
 *
 * buildTempoTransaction({
 *   chainId: 42431,
 *   calls: [{ to: '0x20C0000000000000000000000000000000000000', data: '0x18160ddd' }],
 *   gas: 1_000_000n,
 *   maxFeePerGas: 20_000_000_000n,
 *   nonce: 0n,
 *   validBefore: 1_800_000_000n,
 * })
 * ```
 */
export function buildTempoTransaction(options: buildTempoTransaction.Options): TempoTransaction {
  checkOptions(options, optionKinds)
  const chainId = checkChainId(options.chainId, 'chainId')
  if (!isTempoChain(chainId))
    throw new InvalidTransactionError(`Chain ${chainId} is not Tempo.`, {
      field: 'chainId',
      fix: 'Use 4217 or 42431: only Tempo has transactions of type 0x76.',
    })
  const sponsored = options.sponsored ?? true
  const { feeToken, validBefore } = options
  // nodes cannot parse zero; an absent field also means no lower bound
  const validAfter = options.validAfter === 0n ? undefined : options.validAfter
  if (!sponsored && feeToken === undefined)
    throw new InvalidTransactionError('The sender pays the fee, but no fee token was passed.', {
      field: 'feeToken',
      fix: 'Pass a TIP-20 token that the sender holds, or have the transaction sponsored.',
    })
  if (!Array.isArray(options.calls))
    throw new InvalidTransactionError('The calls are missing.', { field: 'calls', fix: 'Pass a list.' })
  const transaction: TempoTransaction = {
    chainId,
    maxPriorityFeePerGas: checkUint(options.maxPriorityFeePerGas ?? 0n, 'maxPriorityFeePerGas'),
    maxFeePerGas: checkUint(options.maxFeePerGas, 'maxFeePerGas'),
    gas: checkUint(options.gas, 'gas'),
    calls: options.calls.map((call: unknown, index) => {
      const { to, data } = checkOptions(call as Options['calls'][number], callKinds, `calls.${index}`)
      return {
        to: checkNonZeroAddress(to, `calls.${index}.to`),
        value: 0n,
        data: checkHex(data, `calls.${index}.data`),
      }
    }),
    nonceKey: checkUint(options.nonceKey ?? 0n, 'nonceKey'),
    nonce: checkUint(options.nonce, 'nonce'),
    validBefore: validBefore === undefined ? undefined : checkUint(validBefore, 'validBefore'),
    validAfter: validAfter === undefined ? undefined : checkUint(validAfter, 'validAfter'),
    feeToken: feeToken === undefined ? undefined : checkNonZeroAddress(feeToken, 'feeToken'),
    sponsored,
  }
  if (validBefore !== undefined && validAfter !== undefined && validBefore <= validAfter)
    throw new InvalidTransactionError(
      'The transaction is never valid: validBefore is not after validAfter.',
      {
        field: 'validBefore',
        fix: 'Set validBefore after validAfter.',
      },
    )
  if (transaction.maxPriorityFeePerGas > transaction.maxFeePerGas)
    throw new InvalidTransactionError('The priority fee is above maxFeePerGas.', {
      field: 'maxPriorityFeePerGas',
      fix: 'Use at most maxFeePerGas.',
    })
  // the parser checks the range of every field
  return parseTempoTransaction(writeTempoTransaction(transaction))
}

export declare namespace buildTempoTransaction {
  type Options = {
    chainId: number
    calls: readonly { to: Address; data: Hex }[]
    gas: bigint
    /** Attodollars (10^-18 USD) per unit of gas. Since hardfork T7, the base fee is 600_000_000 to 12_000_000_000 (TIP-1067). */
    maxFeePerGas: bigint
    maxPriorityFeePerGas?: bigint | undefined
    nonce: bigint
    /** Each nonce key has its own sequence of nonces. Default 0, the account's ordinary nonces. */
    nonceKey?: bigint | undefined
    /** Unix seconds, exclusive. */
    validBefore?: bigint | undefined
    /** Unix seconds before which the transaction is not valid. 0 means no lower bound. */
    validAfter?: bigint | undefined
    feeToken?: Address | undefined
    /** Whether a sponsor pays the fee. Default true. */
    sponsored?: boolean | undefined
  }
  type ErrorType = parseTempoTransaction.ErrorType | InvalidAddressError
}
