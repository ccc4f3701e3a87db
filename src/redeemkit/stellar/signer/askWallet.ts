import { describeType, showReason, showValue } from '../../core/errors/showValue.ts'
import { UserRejectedError, WalletFailedError } from '../../core/errors/walletErrors.ts'

/** What a SEP-43 wallet answers: an object that is read by name, or, from some, the text itself. */
export type WalletAnswer = Readonly<Record<string, unknown>> | string

/**
 * Calls a method of a wallet. An answer with `error` is an error, whatever else it says.
 *
 * @throws `UserRejectedError` for the user's no, `WalletFailedError` for any other failure
 */
export async function askWallet(
  wallet: object,
  method: string,
  ...args: readonly unknown[]
): Promise<WalletAnswer> {
  const call: unknown = Reflect.get(wallet, method)
  if (typeof call !== 'function')
    throw new WalletFailedError(`The wallet has no ${method}.`, {
      field: 'signer',
      fix: 'Use a wallet that follows SEP-43, such as Freighter.',
      docs: 'SEP-43',
    })
  const answer = await attempt(method, () => Reflect.apply(call, wallet, args))
  if (typeof answer === 'string') return answer
  if (typeof answer !== 'object' || answer === null)
    throw refusal(method, `an answer that is ${showValue(answer)}`)
  // Any object may be read by name; the values stay unknown.
  const fields = answer as Readonly<Record<string, unknown>>
  if (fields.error !== undefined && fields.error !== null && fields.error !== '')
    throw refusal(method, fields.error)
  // SEP-43 of before has the error in the place of the answer.
  if (fields.code !== undefined && typeof fields.message === 'string') throw refusal(method, fields)
  return fields
}

/**
 * Runs what may fail in a wallet or a key.
 *
 * @throws `UserRejectedError`, `WalletFailedError`
 */
export async function attempt(method: string, call: () => unknown): Promise<unknown> {
  try {
    return await call()
  } catch (error) {
    throw refusal(method, error)
  }
}

/** Whether a wallet has said that it has no such method (SEP-43, error code -3): not the user's word. */
export function isUnsupported(error: unknown): boolean {
  const { code, error: inner } = Object(error instanceof WalletFailedError ? error.cause : undefined)
  return String(code ?? Object(inner).code) === '-3'
}

function refusal(method: string, thrown: unknown): UserRejectedError | WalletFailedError {
  // Read by name only, as of anything: text has neither name.
  const error: unknown = Object(thrown).error ?? thrown
  const { code, message = error } = Object(error)
  if (isRefusal(code, typeof message === 'string' ? message : ''))
    return new UserRejectedError('The user refused to sign.', {
      cause: error,
      fix: 'Take it as the answer; do not ask again on your own.',
      docs: 'SEP-43, error code -4',
    })
  return new WalletFailedError(
    `The wallet failed at ${method}: ${typeof message === 'string' ? showReason(message) : describeType(message)}.`,
    {
      cause: error,
      field: 'signer',
      fix: 'Look at the wallet: is it unlocked, connected to this site, on this network?',
    },
  )
}

/** Whether it is the user who said no. A code that says so, or says otherwise, decides alone; xBull's closed window is an empty sequence. */
function isRefusal(code: unknown, message: string): boolean {
  // -4 is SEP-43's, 4001 that of EIP-1193, which wallets of several chains use everywhere, 5000 WalletConnect's.
  if (/^(-4|4001|5000)$/.test(String(code))) return true
  // SEP-43's for a failure outside the wallet, and for a request that is wrong.
  if (/^-[23]$/.test(String(code))) return false
  if (/time.?out|timed out|network|malformed|invalid/i.test(message)) return false
  return /reject|declin|denied|cancel|user closed|no elements in sequence/i.test(
    `${typeof code === 'string' ? code : ''} ${message}`,
  )
}
