import { type Keypair, type rpc, TransactionBuilder } from '@stellar/stellar-sdk'
import { BaseError } from '../../../core/errors/baseError.ts'
import type { Clock } from '../../../core/time/clock.ts'
import {
  type ExpectedTransaction,
  feeBump,
  inspect,
  networkOf,
  RefusedTransactionError,
  type StellarEnvironment,
  signTransaction,
} from '../../../stellar/index.ts'

/**
 * Settles what a customer signed: inspects it, pays its fee as sponsor, submits it, and waits for the ledger.
 *
 * A transaction whose source is the sponsor gets the sponsor's signature; one whose source is the customer gets a fee
 * bump. The customer's own signature, on the envelope or in the authorization entry, has to be there already.
 *
 * Safe to call again with the same transaction: the ledger knows it by its hash, and it cannot apply twice.
 *
 * @throws `RefusedTransactionError` and its kin when it is not the expected payment; {@link StellarSettlementError} with
 * the ledger's result code when it did not apply
 */
export async function settleStellarPayment(
  client: settleStellarPayment.Client,
  options: settleStellarPayment.Options,
): Promise<settleStellarPayment.ReturnType> {
  const { sponsor, transaction, environment } = options
  const network = networkOf(environment)
  // The customer may be the source: this very sponsor puts the fee bump around it.
  const expected = { ...options.expected, sponsor: sponsor.publicKey(), sponsorAs: 'feeBump' } as const
  const address = sponsor.publicKey()
  const { sequence: latestLedger } = await client.getLatestLedger()
  const { details, findings, verdict } = inspect(
    { transaction },
    { ...options, expected, address, latestLedger },
  )
  if (verdict === 'refuse' || details === undefined)
    throw new RefusedTransactionError(findings.map((finding) => finding.message).join(' '), {
      field: 'transaction',
      fix: 'Build it again for exactly this payment and have the customer sign that.',
      findings,
    })
  if (
    details.authorizations.some((entry) => entry.address === expected.from && !entry.isSigned) &&
    details.source === address
  )
    throw new RefusedTransactionError('The customer has not signed the authorization.', {
      field: 'transaction.auth',
      fix: 'Have the customer sign it with signTransaction.',
    })
  const isSponsored = details.source === address
  const signed = isSponsored
    ? await signTransaction(sponsor, { ...options, expected, transaction, latestLedger })
    : await feeBump(sponsor, { ...options, expected, transaction, latestLedger })

  const parsed = TransactionBuilder.fromXDR(signed, network.networkPassphrase)
  await options.onSigned?.({ transaction: signed, hash: parsed.hash().toString('hex') })
  const submitted = await client.sendTransaction(parsed)
  if (submitted.status === 'ERROR' || submitted.status === 'TRY_AGAIN_LATER')
    throw new StellarSettlementError(
      `The ledger did not take the transaction: ${codeOf(submitted.errorResult) ?? submitted.status}.`,
      {
        field: 'transaction',
        fix: 'Build it again: its sequence, time bounds, signatures or balance do not fit any more.',
      },
      codeOf(submitted.errorResult) ?? submitted.status,
    )
  options.onSent?.()
  const landed = await client.pollTransaction(submitted.hash, {
    attempts: options.attempts ?? 30,
    sleepStrategy: () => options.pollIntervalMs ?? 1000,
  })
  if (landed.status === 'SUCCESS') return { hash: submitted.hash, ledger: landed.ledger }
  const code = landed.status === 'FAILED' ? codeOf(landed.resultXdr) : undefined
  throw new StellarSettlementError(
    code === undefined
      ? `The transaction ${submitted.hash} is not on the ledger yet.`
      : `The transaction ${submitted.hash} failed on the ledger: ${code}.`,
    {
      field: 'transaction',
      fix:
        code === undefined
          ? 'Look it up by its hash; it may land until its time bounds end.'
          : 'Look at the balance, the trustlines and the contract.',
    },
    code ?? 'NOT_FOUND',
  )
}

export declare namespace settleStellarPayment {
  /** The SDK's `rpc.Server` fits. */
  type Client = Pick<rpc.Server, 'getLatestLedger' | 'sendTransaction' | 'pollTransaction'>
  type Options = {
    environment: StellarEnvironment
    /** The account that pays the fee. */
    sponsor: Keypair
    /** Base64 XDR, signed by the customer. */
    transaction: string
    /** The payment or call that it has to be. */
    expected: ExpectedTransaction
    /** The most that the sponsor pays, in stroops. Default 1 XLM. */
    maxFee?: bigint | undefined
    attempts?: number | undefined
    pollIntervalMs?: number | undefined
    /** Called with the whole transaction before anything is sent: the place to write it down. */
    onSigned?: ((signed: { transaction: string; hash: string }) => Promise<void> | void) | undefined
    /** Called once the ledger's server has taken it: what fails from then on may have landed. */
    onSent?: (() => void) | undefined
    now?: Clock | undefined
  }
  type ReturnType = { hash: string; ledger: number }
}

function codeOf(
  result: { result: () => { switch: () => { name: string } } } | undefined,
): string | undefined {
  return result?.result().switch().name
}

/** A payment that did not apply. */
export class StellarSettlementError extends BaseError {
  override readonly name = 'StellarSettlementError'
  /** The ledger's result code, such as `txBadSeq`. */
  readonly resultCode: string
  constructor(message: string, options: BaseError.Options, resultCode: string) {
    super(message, options)
    this.resultCode = resultCode
  }
}
