import * as z from 'zod/mini'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { anyAddress, filledText, wholeCents } from '../../../redeemkit/schema/values.ts'
import { transferBlockchains } from '../../store/states.ts'
import { invalid, problem, ServiceProblem } from '../http/problem.ts'

export type SolanaSponsor = {
  rpcUrl: string
  /** Secret key of the account that pays fees and rent: 64 bytes, seed and public key. */
  sponsorKey: Uint8Array
}

export type StellarSponsors = {
  rpcUrl: string
  /** Secret keys (`S…`) of the accounts that pay fees. Each account serves one customer at a time. */
  sponsorKeys: readonly string[]
}

export type TransferChain = {
  /** Addresses that pay fees. On Stellar, each has one sequence number, so concurrent customers need several of them. */
  sponsors: readonly string[]
  /** Returns a wallet's USDC in millionths, rounded down; 0 if the wallet has no account for USDC. */
  usdcOf: (wallet: string) => Promise<bigint>
  /** Throws for an invalid request, without a request to the chain. */
  checkRequest: (request: Omit<TransferRequest, 'sponsor'>) => void
  prepare: (request: TransferRequest & Paid) => Promise<PreparedTransfer>
  /** Throws unless the text is a transaction of this chain. */
  check: (transaction: string) => void
  /** Whether the transaction equals the prepared one, apart from signatures. */
  isPrepared: (transaction: string, facts: string) => boolean
  explain: (transaction: string, facts: string) => readonly Reason[]
  /** Inspects and co-signs a transaction, calls `onSigned`, submits the transaction and follows it. */
  settle: (transfer: {
    facts: string
    transaction: string
    onSigned: (signed: SignedTransfer) => Promise<void>
  }) => Promise<Outcome>
  /** Resubmits a co-signed, journalled transaction and follows it. */
  resume: (transfer: { facts: string; raw: string; hash: string }) => Promise<Outcome>
}

export type SignedTransfer = {
  raw: string
  hash: string
  /**
   * Called while journalling. Throws if the sponsor has reached its limit of paid accounts. Absent if the transfer creates no account.
   */
  checkPaid?: ((paid: PaidCreations) => void) | undefined
}

export type PaidCreations = {
  /** Accounts paid for this receiver, ever. */
  toDestination: number
  /** Accounts paid for this customer's transfers, within a day. */
  byWallet: number
  /** Accounts paid for all customers, within a day. */
  byService: number
}

/** Counts the accounts that the sponsor paid for, on chains where a receiver needs an account. */
export type Paid = { paidCreations: () => Promise<PaidCreations> }

type Reason = { code: string; message: string; field?: string | undefined }

export type TransferRequest = {
  wallet: string
  destination: string
  cents: number
  paymentId: string | undefined
  /** On Stellar: a merchant contract call that takes the amount and forwards it to the destination. */
  call: { contract: string; functionName: string; args: readonly string[] } | undefined
  sponsor: string
}

export type PreparedTransfer = {
  /** Amount in raw units of the chain's USDC. */
  amount: bigint
  /** JSON that the chain's code needs when the signed transaction arrives. It does not leave the service. */
  facts: string
  /** Whether the sponsor may pay the rent of a token account. Default false. */
  paysRent?: boolean | undefined
  /** Estimated time after which the transfer can no longer be confirmed. */
  expiresAt: Date
  answer: { transaction: string } & Record<string, unknown>
}

export type Outcome =
  | { status: 'settled' }
  /** Nothing was sent; the customer can try again. */
  | { status: 'refused'; problem: ServiceProblem }
  /** The transfer was not confirmed and can never be. */
  | { status: 'expired'; problem: ServiceProblem }
  /** The transfer was confirmed as failed. */
  | { status: 'failed'; problem: ServiceProblem }
  /** The outcome is not known yet; the next call resubmits the same transaction. */
  | { status: 'unknown'; problem: ServiceProblem }

/** Maps an error of a chain's code to a wire error. Compares names, because Stellar's error classes belong to an optional SDK. */
export function transferProblem(error: unknown, fields: Readonly<Record<string, string>>): unknown {
  if (!(error instanceof BaseError) || error instanceof ServiceProblem) return unreachable(error) ?? error
  const text = error.fix === undefined ? error.shortMessage : `${error.shortMessage} ${error.fix}`
  if (badRequests.has(error.name)) {
    const field = error.field ?? 'body'
    return invalid(fields[field] ?? field, text, error)
  }
  if (wouldFail.has(error.name) || 'findings' in error)
    return problem('SIMULATION_FAILED', text, {
      cause: error,
      details: { revertReason: error.shortMessage, error: { name: error.name } },
    })
  // The SDK also reports this error if its server cannot be reached. The missing account may be the sponsor's.
  if (error.name === 'MissingAccountError')
    return problem('UNAVAILABLE', 'The account that pays the fee could not be loaded.', { cause: error })
  return unreachable(error) ?? error
}

/** Creates a 503 if the chain's node did not respond. */
export function unreachable(error: unknown): ServiceProblem | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < 8; depth++) {
    const code = 'code' in current ? String(current.code) : ''
    if (
      /^(?:ECONN|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|UND_ERR|ERR_NETWORK)/.test(code) ||
      current.message === 'fetch failed' ||
      current.name === 'TimeoutError'
    )
      return problem('UNAVAILABLE', 'The blockchain node is currently unavailable.', { cause: error })
    current = current.cause
  }
  return undefined
}

const badRequests: ReadonlySet<string> = new Set([
  'InvalidAddressError',
  'InvalidAmountError',
  'InvalidMemoError',
  'InvalidOptionError',
  'InvalidTransactionError',
  'OwnerOffCurveError',
  'WrongPartyError',
])

/** Errors of a transfer that would fail in the current state of the chain. */
const wouldFail: ReadonlySet<string> = new Set([
  'InsufficientUsdcError',
  'MissingTokenAccountError',
  'ContractCallFailedError',
  'TrustlineError',
])

const base64 = z
  .string()
  .check(z.regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'expected base64'))
  .check(z.minLength(4, 'expected base64'))

export const usdcTransferBody = z.strictObject({
  blockchain: z.enum(transferBlockchains),
  /** The receiving wallet or, on Stellar, contract. */
  destination: anyAddress,
  amount: z.strictObject({ cents: wholeCents }),
  /** Becomes the memo; on Stellar at most 28 bytes. A wallet can pay each payment id only once. */
  paymentId: z.optional(filledText),
  /** On Stellar only: the merchant contract to call, which forwards the amount to `destination`. */
  call: z.optional(
    z.strictObject({
      contract: anyAddress,
      functionName: z.string().check(z.regex(/^[A-Za-z0-9_]{1,32}$/, 'expected a function name')),
      /** The arguments, each as base64 XDR of an `ScVal`. */
      args: z.array(base64).check(z.maxLength(32, 'expected at most 32 arguments')),
    }),
  ),
})

export const usdcTransferSubmitBody = z.strictObject({
  /** The id in the prepare response. */
  id: z.string().check(z.regex(/^[0-9a-f-]{36}$/, 'expected the id of a prepared transfer')),
  /** The transaction with the customer's signature, base64. */
  transaction: base64,
})
