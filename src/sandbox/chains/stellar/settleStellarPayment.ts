import { type Keypair, rpc, TransactionBuilder } from '@stellar/stellar-sdk'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { showValue } from '../../../redeemkit/core/errors/showValue.ts'
import { RefusedTransactionError } from '../../../redeemkit/core/errors/transactionErrors.ts'
import type { Clock } from '../../../redeemkit/core/time/clock.ts'
import { parseTransaction } from '../../../redeemkit/stellar/envelope/parseTransaction.ts'
import type { ExpectedTransaction } from '../../../redeemkit/stellar/expected.ts'
import { inspect } from '../../../redeemkit/stellar/inspect/inspect.ts'
import {
  networkOf,
  type StellarEnvironment,
  type StellarNetwork,
} from '../../../redeemkit/stellar/networks.ts'
import { feeBump } from '../../../redeemkit/stellar/transaction/feeBump.ts'
import { signTransaction } from '../../../redeemkit/stellar/transaction/signTransaction.ts'
import { isSignedByCustomer } from './isSignedByCustomer.ts'
import { movedUsdc } from './movedUsdc.ts'

/** How often what a node refuses is looked up before it is believed. */
const lateLooks = 3

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
  const network = networkOf(options.environment)
  const { expected, isCall, signed } = await signAsSponsor(client, options)
  const parsed = TransactionBuilder.fromXDR(signed, network.networkPassphrase)
  const hash = parsed.hash().toString('hex')
  const judge = (landed: rpc.Api.GetTransactionResponse) => judgeLanded(landed, { hash, expected, network })

  const before = await client.getTransaction(hash)
  if (before.status !== 'NOT_FOUND') return judge(before)
  if (isCall) await tryCall(client, { ...options, expected })
  await options.onSigned?.({ transaction: signed, hash })
  const submitted = await client.sendTransaction(parsed)
  const sleepStrategy = () => options.pollIntervalMs ?? 1000
  if (submitted.status === 'ERROR' || submitted.status === 'TRY_AGAIN_LATER') {
    // A node that has just applied it says either, and may show the ledger that took it only a little later.
    const applied = await client.pollTransaction(hash, { attempts: lateLooks, sleepStrategy })
    if (applied.status === 'NOT_FOUND') throw notTaken(submitted)
    return judge(applied)
  }
  options.onSent?.()
  return judge(
    await client.pollTransaction(hash, {
      attempts: options.attempts ?? 30,
      sleepStrategy,
    }),
  )
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

/** Inspects what the customer signed, and adds the sponsor: as its source, or by a fee bump around it. */
async function signAsSponsor(
  client: settleStellarPayment.Client,
  options: settleStellarPayment.Options,
): Promise<{ expected: ExpectedTransaction; isCall: boolean; signed: string }> {
  const { sponsor, transaction, environment } = options
  const network = networkOf(environment)
  const address = sponsor.publicKey()
  if (options.expected.from === address)
    throw new RefusedTransactionError('The sponsor would be the customer.', {
      field: 'expected.from',
      fix: 'Sponsor with an account of the service, which pays nothing itself.',
    })
  // The customer may be the source: this very sponsor puts the fee bump around it.
  const expected = { ...options.expected, sponsor: address, sponsorAs: 'feeBump' } as const
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
  // What a call needs is compared before it is sent, by `tryCall`.
  const { maxFee = 10_000_000n } = options
  const sign = details.source === address ? signTransaction : feeBump
  const signed = await sign(sponsor, { ...options, maxFee, expected, transaction, latestLedger })
  const isCall = details.operations?.some(({ call }) => call !== undefined) === true
  return { expected, isCall, signed }
}

/**
 * Tries a call. With the customer's authorizations in it, the trial holds them to all that the ledger will; what it needs is held
 * against what the customer declares, all of which the sponsor pays.
 */
async function tryCall(
  client: settleStellarPayment.Client,
  options: settleStellarPayment.Options,
): Promise<void> {
  const { transaction, environment, sponsor } = options
  const parsed = parseTransaction(transaction, networkOf(environment)).transaction
  const trial = await client.simulateTransaction(parsed)
  if (!rpc.Api.isSimulationSuccess(trial))
    throw new StellarSettlementError(
      `The call fails: ${showValue(rpc.Api.isSimulationError(trial) ? trial.error : 'no answer', 200)}`,
      {
        field: 'transaction',
        fix: 'Look at the authorization, the balance, the trustlines and the contract.',
      },
      'SIMULATION_FAILED',
    )
  const asked = { ...options, address: sponsor.publicKey(), simulation: trial }
  const { findings, verdict } = inspect({ transaction }, asked)
  if (verdict === 'refuse')
    throw new RefusedTransactionError(findings.map((finding) => finding.message).join(' '), {
      field: 'transaction',
      fix: 'Build it again with the resources that the call needs.',
      findings,
    })
}

function notTaken(submitted: rpc.Api.SendTransactionResponse): StellarSettlementError {
  const { status } = submitted
  if (status === 'TRY_AGAIN_LATER')
    return new StellarSettlementError(
      'The ledger has not taken the transaction yet.',
      {
        field: 'transaction',
        fix: 'Send the same again later: it cannot apply twice. Do not build another one.',
      },
      status,
    )
  const code = codeOf(submitted.errorResult) ?? status
  return new StellarSettlementError(
    `The ledger did not take the transaction: ${code}.`,
    {
      field: 'transaction',
      fix: 'Build it again: its sequence, time bounds, signatures or balance do not fit any more.',
    },
    code,
  )
}

/** What the ledger says of it. */
function judgeLanded(
  landed: rpc.Api.GetTransactionResponse,
  { hash, expected, network }: { hash: string; expected: ExpectedTransaction; network: StellarNetwork },
): settleStellarPayment.ReturnType {
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
