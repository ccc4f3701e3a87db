import { type Keypair, rpc, TransactionBuilder } from '@stellar/stellar-sdk'
import { BaseError } from '../../../core/errors/baseError.ts'
import { showValue } from '../../../core/errors/showValue.ts'
import type { Clock } from '../../../core/time/clock.ts'
import { findSignature } from '../../../stellar/envelope/findSignature.ts'
import { parseTransaction } from '../../../stellar/envelope/parseTransaction.ts'
import {
  type ExpectedTransaction,
  feeBump,
  inspect,
  networkOf,
  RefusedTransactionError,
  type StellarEnvironment,
  type StellarNetwork,
  signTransaction,
} from '../../../stellar/index.ts'
import { movedUsdc } from './movedUsdc.ts'

/**
 * Settles what a customer signed: inspects it, pays its fee as sponsor, submits it, and waits for the ledger.
 *
 * A transaction whose source is the sponsor gets the sponsor's signature; one whose source is the customer gets a fee
 * bump. The customer's own signature, on the envelope or in the authorization entry, has to be there already.
 *
 * A contract call is tried before the sponsor signs it, and its events are read after: what was authorized may still not have
 * been taken.
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
  if (options.expected.from === sponsor.publicKey())
    throw new RefusedTransactionError('The sponsor would be the customer.', {
      field: 'expected.from',
      fix: 'Sponsor with an account that is nobody’s who pays.',
    })
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
  if (!isSignedByCustomer({ transaction, from: expected.from, network, details }))
    throw new RefusedTransactionError('The customer has not signed it.', {
      field: 'transaction.signatures',
      fix: 'Have the customer sign it with signTransaction.',
    })
  const isSponsored = details.source === address
  const signed = isSponsored
    ? await signTransaction(sponsor, { ...options, expected, transaction, latestLedger })
    : await feeBump(sponsor, { ...options, expected, transaction, latestLedger })

  const parsed = TransactionBuilder.fromXDR(signed, network.networkPassphrase)
  const hash = parsed.hash().toString('hex')
  const before = await client.getTransaction(hash)
  if (before.status !== 'NOT_FOUND') return judge(before)
  if (details.operations?.some(({ call }) => call !== undefined)) {
    // With the customer's authorizations in it, the trial holds them to all that the ledger will.
    const trial = await client.simulateTransaction(parseTransaction(transaction, network).transaction)
    if (!rpc.Api.isSimulationSuccess(trial))
      throw new StellarSettlementError(
        `The call fails: ${showValue(rpc.Api.isSimulationError(trial) ? trial.error : 'no answer', 200)}`,
        {
          field: 'transaction',
          fix: 'Look at the authorization, the balance, the trustlines and the contract.',
        },
        'SIMULATION_FAILED',
      )
  }
  await options.onSigned?.({ transaction: signed, hash })
  const submitted = await client.sendTransaction(parsed)
  if (submitted.status === 'ERROR' || submitted.status === 'TRY_AGAIN_LATER') {
    // A node that has just applied it says either, so it is looked up before anything is said of it.
    const applied = await client.getTransaction(hash)
    if (applied.status !== 'NOT_FOUND') return judge(applied)
    if (submitted.status === 'TRY_AGAIN_LATER')
      throw new StellarSettlementError(
        'The ledger has not taken the transaction yet.',
        {
          field: 'transaction',
          fix: 'Send the same again later: it cannot apply twice. Do not build another one.',
        },
        submitted.status,
      )
    throw new StellarSettlementError(
      `The ledger did not take the transaction: ${codeOf(submitted.errorResult) ?? submitted.status}.`,
      {
        field: 'transaction',
        fix: 'Build it again: its sequence, time bounds, signatures or balance do not fit any more.',
      },
      codeOf(submitted.errorResult) ?? submitted.status,
    )
  }
  options.onSent?.()
  return judge(
    await client.pollTransaction(hash, {
      attempts: options.attempts ?? 30,
      sleepStrategy: () => options.pollIntervalMs ?? 1000,
    }),
  )

  /** What the ledger says of it. */
  function judge(landed: rpc.Api.GetTransactionResponse): settleStellarPayment.ReturnType {
    if (landed.status === 'NOT_FOUND')
      throw new StellarSettlementError(
        `The transaction ${hash} is not on the ledger yet.`,
        { field: 'transaction', fix: 'Look it up by its hash; it may land until its time bounds end.' },
        'NOT_FOUND',
      )
    if (landed.status === 'FAILED') {
      const code = codeOf(landed.resultXdr) ?? 'FAILED'
      throw new StellarSettlementError(
        `The transaction ${hash} failed on the ledger: ${code}.`,
        { field: 'transaction', fix: 'Look at the balance, the trustlines and the contract.' },
        code,
      )
    }
    if (!movedUsdc(landed, { expected, network }))
      throw new StellarSettlementError(
        `The transaction ${hash} landed and did not pay.`,
        {
          field: 'expected.contract',
          fix: 'Deliver nothing, and sponsor this contract no more: it was allowed to take the money, and did not.',
        },
        'PAYMENT_MISSING',
      )
    return { hash, ledger: landed.ledger }
  }
}

export declare namespace settleStellarPayment {
  /** The SDK's `rpc.Server` fits. */
  type Client = Pick<
    rpc.Server,
    'getLatestLedger' | 'getTransaction' | 'sendTransaction' | 'simulateTransaction' | 'pollTransaction'
  >
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

/** Whether the customer's signature is there: on the envelope, or in each authorization that wants one. */
function isSignedByCustomer(options: {
  transaction: string
  from: string
  network: StellarNetwork
  details: inspect.Details
}): boolean {
  const { transaction, from, network, details } = options
  const own = details.authorizations.filter(
    (entry) => entry.address === from && entry.validUntilLedger !== undefined,
  )
  if (own.some((entry) => !entry.isSigned)) return false
  const signsEnvelope = details.source === from || details.operations?.some(({ source }) => source === from)
  if (!signsEnvelope)
    return own.length > 0 || details.operations?.every(({ payment }) => payment === undefined) === true
  const digest = parseTransaction(transaction, network).transaction.hash()
  return findSignature(transaction, { network, digest, address: from }) !== undefined
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
