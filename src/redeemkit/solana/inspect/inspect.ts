import { utf8Text } from '../../core/attempt.ts'
import { checkOptions, type OptionKinds } from '../../core/checkOptions.ts'
import { InvalidTransactionError } from '../../core/errors/inputErrors.ts'
import { createRefusal, refusedInspection } from '../../core/inspection/createInspection.ts'
import type { Inspection } from '../../core/inspection/inspection.ts'
import type { AddressLike } from '../address.ts'
import type { AuthMessage } from '../authMessage/parseAuthMessage.ts'
import type { TransactionLike } from '../transaction/parseTransaction.ts'
import type { TransactionDetails } from '../transaction/transactionDetails.ts'
import {
  inspectMessage,
  isTransactionMessage,
  rawTransaction,
  readOffchainMessage,
} from './inspectMessage.ts'
import { inspectRequest } from './inspectRequest.ts'

/**
 * Describes a transaction or text that a Solana wallet is asked to sign, and lists its problems. Never throws.
 *
 * With `expected`, anything beyond the expected USDC transfer is a danger. Without `expected`, each instruction is described, and an
 * instruction that gives away the account or everything in it is a danger. The verdict is then `caution` at best, because nothing was
 * compared.
 *
 * @param request `{ transaction }` or `{ message }`
 * @param context what the wallet knows: page origin, account, network, the expected transfer
 * @example
 * ```ts
 * import { inspect } from 'redeemkit/solana'
 *
 * declare const transaction: string // base64, from the service
 * const { verdict, summary } = inspect({ transaction }, { address: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU' })
 * ```
 */
export function inspect(
  request: inspect.TransactionRequest,
  context?: inspect.Context,
): Inspection<TransactionDetails | undefined>
export function inspect(request: inspect.Request, context?: inspect.Context): Inspection<inspect.Details>
export function inspect(
  request: inspect.Request,
  context: inspect.Context = {},
): Inspection<inspect.Details> {
  try {
    const { address, ...rest } = checkOptions(context, contextKinds, 'context')
    const wallet = address as AddressLike // `inspectRequest` validates it.
    const asked: { transaction?: TransactionLike | undefined; message?: string | Uint8Array | undefined } =
      checkOptions(request, { transaction: 'any', message: 'any' }, 'request')
    const { transaction, message } = asked
    if (message instanceof Uint8Array && isTransactionMessage(message))
      return refusedInspection([rawTransaction])
    if (message === undefined)
      return inspectRequest({ ...rest, wallet, transaction: transaction as TransactionLike })
    if (transaction !== undefined)
      throw new InvalidTransactionError('The request has both a transaction and a message.', {
        field: 'request',
        fix: 'Pass one of them.',
      })
    const offchain = message instanceof Uint8Array ? readOffchainMessage(message) : undefined
    return inspectMessage({ ...rest, wallet, message: offchain?.text ?? textOf(message), offchain })
  } catch (error) {
    return createRefusal(error)
  }
}

const contextKinds: OptionKinds<inspect.Context> = {
  origin: 'string?',
  address: 'any',
  environment: 'any',
  expected: 'any',
  lookupTables: 'any',
  known: 'object?',
  now: 'function?',
}

function textOf(message: string | Uint8Array): string {
  if (!(message instanceof Uint8Array)) return message
  const text = utf8Text(message)
  if (text !== undefined) return text
  throw new InvalidTransactionError('Asks you to sign raw bytes that are not text.', {
    field: 'message',
    fix: 'Do not sign it. Only text may be signed as a message.',
  })
}

export declare namespace inspect {
  type TransactionRequest = {
    /** Wire bytes, their base64 text, or a web3.js object. Signatures may be missing; present ones must be valid. */
    transaction: TransactionLike
    message?: undefined
  }
  type Request =
    | TransactionRequest
    | {
        /** The text to sign, or its bytes, with or without an off-chain message envelope. */
        message: string | Uint8Array
        transaction?: undefined
      }
  type Context = Omit<inspectRequest.Options, 'transaction' | 'wallet'> & {
    /** The account that would sign. */
    address?: AddressLike | undefined
  }
  type Details = TransactionDetails | { message: AuthMessage | undefined } | undefined
}
