import * as z from 'zod/mini'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { anyAddress, filledText, wholeCents } from '../../../redeemkit/schema/values.ts'
import { transferBlockchains } from '../../store/states.ts'
import { problem, ServiceProblem } from '../http/problem.ts'

/** Where Solana transfers are sent, and who pays for them. */
export type SolanaSponsor = {
  rpcUrl: string
  /** Secret key of the account that pays fees and rent: 64 bytes, seed and public key. */
  sponsorKey: Uint8Array
}

/** Where Stellar payments are sent, and who pays for them. */
export type StellarSponsors = {
  rpcUrl: string
  /** Secret keys (`S…`) of the accounts that pay fees. As many customers can pay at once as there are accounts. */
  sponsorKeys: readonly string[]
}

/** One chain, as the two routes work with it. */
export type TransferChain = {
  /** Addresses that pay fees. On Stellar each has one sequence number, so that several customers need several of them. */
  sponsors: readonly string[]
  /** USDC of a wallet in millionths, rounded down; 0 where it has no account for it. */
  usdcOf: (wallet: string) => Promise<bigint>
  /** Throws for a request that is wrong whatever the chain says. */
  checkRequest: (request: Omit<TransferRequest, 'sponsor'>) => void
  /** Builds what the customer is to sign. */
  prepare: (request: TransferRequest & Paid) => Promise<PreparedTransfer>
  /** Throws a 400 unless the text is a transaction of this chain. */
  check: (transaction: string) => void
  /** Whether it is the transaction that was prepared, signatures aside. */
  isPrepared: (transaction: string, facts: string) => boolean
  /** What is wrong with a transaction that is not the one that was prepared. */
  explain: (transaction: string, facts: string) => readonly Reason[]
  /** Inspects, co-signs, hands the result to `onSigned`, sends it, follows it to its end. */
  settle: (transfer: {
    facts: string
    transaction: string
    onSigned: (signed: SignedTransfer) => Promise<void>
  }) => Promise<Outcome>
  /** Sends again what was co-signed and written down, and follows it to its end. */
  resume: (transfer: { facts: string; raw: string; hash: string }) => Promise<Outcome>
}

/** A transfer with every signature. */
export type SignedTransfer = {
  raw: string
  hash: string
  /** Throws when the sponsor has paid for enough accounts: to be asked where what is counted is written down. Absent: it pays for none. */
  checkPaid?: ((paid: PaidCreations) => void) | undefined
}

/** How many token accounts the service has paid for. */
export type PaidCreations = {
  /** For this receiver, ever. */
  toDestination: number
  /** For this customer's transfers, within a day. */
  byWallet: number
  /** For everybody, within a day. */
  byService: number
}

/** Asked by a chain on which a sponsor pays for the receiver's account. */
export type Paid = { paidCreations: () => Promise<PaidCreations> }

type Reason = { code: string; message: string; field?: string | undefined }

export type TransferRequest = {
  wallet: string
  destination: string
  cents: number
  paymentId: string | undefined
  /** Stellar: a call of a merchant contract, which takes the amount and passes it to the destination. */
  call: { contract: string; functionName: string; args: readonly string[] } | undefined
  sponsor: string
}

export type PreparedTransfer = {
  /** Raw units of the chain's USDC. */
  amount: bigint
  /** What the chain's code has to be told again when the transaction comes back, as JSON. Never leaves the service. */
  facts: string
  /** Whether its price has the rent of a token account in it, which the sponsor pays. Default false. */
  paysRent?: boolean | undefined
  /** When it can no longer land, as far as it can be told beforehand. */
  expiresAt: Date
  /** What the customer's client gets. */
  answer: { transaction: string } & Record<string, unknown>
}

/** What became of a transfer. */
export type Outcome =
  | { status: 'settled' }
  /** Nothing was sent: it may be tried again. */
  | { status: 'refused'; problem: ServiceProblem }
  /** It never landed and never will. */
  | { status: 'expired'; problem: ServiceProblem }
  /** It landed, and failed there. */
  | { status: 'failed'; problem: ServiceProblem }
  /** Not known yet: sent again as it stands, at the next call. */
  | { status: 'unknown'; problem: ServiceProblem }

/**
 * The wire error for what a chain's own code threw while a transfer was prepared.
 *
 * Told by name: the classes of the Stellar folder come with its optional SDK.
 */
export function transferProblem(error: unknown, fields: Readonly<Record<string, string>>): unknown {
  if (!(error instanceof BaseError) || error instanceof ServiceProblem) return unreachable(error) ?? error
  const words = error.fix === undefined ? error.shortMessage : `${error.shortMessage} ${error.fix}`
  if (badRequests.has(error.name)) {
    const field = error.field ?? 'body'
    return problem('INVALID_REQUEST', words, { cause: error, issues: [fields[field] ?? field] })
  }
  if (unfit.has(error.name) || 'findings' in error)
    return problem('SIMULATION_FAILED', words, {
      cause: error,
      details: { revertReason: error.shortMessage, error: { name: error.name } },
    })
  // The SDK says no more when its server is away; and without its sponsor the service can do nothing either.
  if (error.name === 'MissingAccountError')
    return problem('UNAVAILABLE', 'The account that pays the fee could not be loaded.', { cause: error })
  return unreachable(error) ?? error
}

/** A 503, when the chain's node did not answer. */
export function unreachable(error: unknown): ServiceProblem | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < 8; depth++) {
    const code = 'code' in current ? String(current.code) : ''
    if (
      /^(?:ECONN|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|UND_ERR|ERR_NETWORK)/.test(code) ||
      current.message === 'fetch failed'
    )
      return problem('UNAVAILABLE', 'The blockchain does not answer at the moment.', { cause: error })
    current = current.cause
  }
  return undefined
}

/** The request is wrong, whatever the chain says. */
const badRequests: ReadonlySet<string> = new Set([
  'InvalidAddressError',
  'InvalidAmountError',
  'InvalidMemoError',
  'InvalidOptionError',
  'InvalidTransactionError',
  'OwnerOffCurveError',
  'WrongPartyError',
])

/** The chain says that it would fail as things are. */
const unfit: ReadonlySet<string> = new Set([
  'InsufficientUsdcError',
  'MissingTokenAccountError',
  'ContractCallFailedError',
  'TrustlineError',
])

const base64 = z
  .string()
  .check(z.regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'expected base64'))
  .check(z.minLength(4, 'expected base64'))

/** Body of `POST /sandbox/usdc-transfer`. */
export const usdcTransferBody = z.strictObject({
  blockchain: z.enum(transferBlockchains),
  /** The receiving wallet; on Stellar also a contract. */
  destination: anyAddress,
  amount: z.strictObject({ cents: wholeCents }),
  /** Becomes the memo; on Stellar at most 28 bytes. Each payment of a wallet is paid once. */
  paymentId: z.optional(filledText),
  /** Stellar only: the merchant contract that is called, and that passes the amount to `destination`. */
  call: z.optional(
    z.strictObject({
      contract: anyAddress,
      functionName: z.string().check(z.regex(/^[A-Za-z0-9_]{1,32}$/, 'expected the name of a function')),
      /** Base64 XDR of each argument (`ScVal`). */
      args: z.array(base64).check(z.maxLength(32, 'expected at most 32 arguments')),
    }),
  ),
})

/** Body of `POST /sandbox/usdc-transfer/submit`. */
export const usdcTransferSubmitBody = z.strictObject({
  /** As answered. */
  id: z.string().check(z.regex(/^[0-9a-f-]{36}$/, 'expected the id of a prepared transfer')),
  /** The transaction with the customer's signature, base64. */
  transaction: base64,
})
