import { Keypair, rpc, StrKey, xdr } from '@stellar/stellar-sdk'
import { centsToAmount } from '../../../core/amount/centsToAmount.ts'
import type { Environment } from '../../../core/blockchains.ts'
import { BaseError } from '../../../core/errors/baseError.ts'
import type { Clock } from '../../../core/time/clock.ts'
import { findSignature } from '../../../stellar/envelope/findSignature.ts'
import { parseTransaction } from '../../../stellar/envelope/parseTransaction.ts'
import { checkAmount } from '../../../stellar/expected/checkAmount.ts'
import {
  type ExpectedTransaction,
  inspect,
  networkOf,
  type StellarNetwork,
  stellarTransaction,
  usdcTransfer,
} from '../../../stellar/index.ts'
import { checkAddress } from '../../../stellar/signer/checkAddress.ts'
import { movedUsdc } from '../../chains/stellar/movedUsdc.ts'
import { StellarSettlementError, settleStellarPayment } from '../../chains/stellar/settleStellarPayment.ts'
import { problem } from '../http/problem.ts'
import type { Outcome, StellarSponsors, TransferChain, TransferRequest } from './transferChain.ts'

const validForSeconds = 300
/** How often, and how long between, one call looks for its transaction. After it, the same call again goes on. */
const looks = { attempts: 60, pollIntervalMs: 500 }

type Facts = { transaction: string; expected: ExpectedTransaction }

/** USDC on Stellar: a classic payment, or a call of a merchant contract, with the sponsor as the transaction's source. */
export function stellarTransfers(
  options: StellarSponsors & { environment: Environment; now: Clock },
): TransferChain {
  const { rpcUrl, sponsorKeys, environment, now } = options
  const network = networkOf(environment)
  const client = new rpc.Server(rpcUrl, { allowHttp: rpcUrl.startsWith('http:') })
  const sponsors = new Map(
    sponsorKeys.map((key) => {
      const keypair = Keypair.fromSecret(key)
      return [keypair.publicKey(), keypair]
    }),
  )

  /** The envelope without what the customer adds: signatures, and until when an authorization is good. */
  const bare = (transaction: string): string => {
    const { transaction: parsed, feeBump } = parseTransaction(transaction, network)
    if (feeBump !== undefined) return transaction
    const envelope = parsed.toEnvelope()
    envelope.v1().signatures([])
    for (const operation of envelope.v1().tx().operations()) {
      const body = operation.body()
      if (body.switch().name !== 'invokeHostFunction') continue
      for (const entry of body.invokeHostFunctionOp().auth()) {
        const credentials = entry.credentials()
        if (credentials.switch().name !== 'sorobanCredentialsAddress') continue
        credentials.address().signature(xdr.ScVal.scvVoid())
        credentials.address().signatureExpirationLedger(0)
      }
    }
    return envelope.toXDR('base64')
  }
  const look = (transaction: string, { expected }: Facts, latestLedger?: number) =>
    inspect({ transaction }, { environment, address: expected.from, expected, latestLedger, now })
  const isSigned = (transaction: string, facts: Facts): boolean => {
    const { from } = facts.expected
    const { authorizations = [], operations = [] } = look(transaction, facts).details ?? {}
    if (operations.some(({ call }) => call !== undefined))
      return authorizations.every((entry) => entry.address !== from || entry.isSigned)
    const digest = parseTransaction(transaction, network).transaction.hash()
    return findSignature(transaction, { network, digest, address: from }) !== undefined
  }

  return {
    sponsors: [...sponsors.keys()],
    checkRequest: ({ wallet, destination, cents, paymentId, call }) => {
      checkAddress(wallet, 'from')
      if (!StrKey.isValidContract(destination)) checkAddress(destination, 'to')
      if (destination === wallet)
        throw problem('INVALID_REQUEST', 'Nobody can pay themselves.', { issues: ['destination'] })
      checkAmount(amountOf(cents))
      if (paymentId !== undefined && Buffer.byteLength(paymentId) > 28)
        throw problem('INVALID_REQUEST', 'On Stellar a payment id has at most 28 bytes.', {
          issues: ['paymentId'],
        })
      call?.args.forEach((arg, index) => {
        if (!isScVal(arg))
          throw problem('INVALID_REQUEST', 'The argument is no base64 XDR of an ScVal.', {
            issues: [`call.args[${index}]`],
          })
      })
      if (call !== undefined && !StrKey.isValidContract(call.contract))
        throw problem('INVALID_REQUEST', 'A contract is named by 56 characters that begin with C.', {
          issues: ['call.contract'],
        })
    },
    prepare: async (request) => {
      const { call, paymentId, wallet, destination, sponsor } = request
      // A contract call has no memo: the network refuses one beside an authorization.
      const memo = call === undefined && !StrKey.isValidContract(destination) ? paymentId : undefined
      const built: Awaited<ReturnType<typeof usdcTransfer>> =
        call === undefined
          ? await usdcTransfer(client, {
              environment,
              from: wallet,
              to: destination,
              amount: amountOf(request.cents),
              sponsor,
              memo,
              validForSeconds,
              now,
            })
          : await (async () => {
              const expected = expectedCall(request, call)
              return {
                ...(await stellarTransaction(client, { environment, expected, validForSeconds, now })),
                expected,
              }
            })()
      const { transaction, expected, validUntilLedger } = built
      const validUntil = Number(parseTransaction(transaction, network).transaction.timeBounds?.maxTime)
      return {
        amount: amountOf(request.cents),
        facts: format({ transaction, expected }),
        expiresAt: new Date(validUntil * 1000),
        answer: {
          transaction,
          networkPassphrase: network.networkPassphrase,
          validUntil,
          ...(validUntilLedger === undefined ? {} : { validUntilLedger }),
          expected: JSON.parse(format(expected)),
        },
      }
    },
    check: (transaction) => {
      try {
        parseTransaction(transaction, network)
      } catch (cause) {
        if (!(cause instanceof BaseError)) throw cause
        throw problem('INVALID_REQUEST', cause.shortMessage, { cause, issues: ['transaction'] })
      }
    },
    isPrepared: (transaction, facts) => bare(transaction) === bare(parse(facts).transaction),
    explain: (transaction, facts) =>
      look(transaction, parse(facts))
        .findings.filter(({ severity, code }) => severity === 'danger' && code !== 'EXPIRED')
        .map(({ code, message, field }) => ({ code, message, field })),
    settle: async ({ facts: text, transaction, onSigned }) => {
      const facts = parse(text)
      const sponsor = sponsors.get(facts.expected.sponsor ?? '')
      if (sponsor === undefined)
        return expired('The account that was to pay the fee is not this service’s any more.', undefined)
      const { sequence: latestLedger } = await client.getLatestLedger()
      const dangers = look(transaction, facts, latestLedger).findings.filter(
        ({ severity }) => severity === 'danger',
      )
      if (dangers.some(({ code }) => code === 'EXPIRED'))
        return expired('Its time bounds are over: the transaction can never land.', undefined)
      const [danger] = dangers
      if (danger?.code === 'FOREIGN_SIGNATURE' || !isSigned(transaction, facts))
        return {
          status: 'refused',
          problem: problem(
            'INVALID_USDC_AUTHORIZATION',
            `The transaction does not carry the signature of ${facts.expected.from} alone. Let the customer sign this very transaction, for ${network.name}.`,
          ),
        }
      if (danger !== undefined)
        return {
          status: 'refused',
          problem: problem('INTENT_MISMATCH', dangers.map(({ message }) => message).join(' ')),
        }
      let isSent = false
      try {
        await settleStellarPayment(client, {
          environment,
          sponsor,
          transaction,
          expected: facts.expected,
          now,
          ...looks,
          onSigned: ({ transaction: raw, hash }) => onSigned({ raw, hash }),
          onSent: () => {
            isSent = true
          },
        })
        return { status: 'settled' }
      } catch (error) {
        return outcomeOf(error, isSent)
      }
    },
    resume: async ({ facts, raw, hash }) => {
      const { expected } = parse(facts)
      const landedAlready = () => outcomeOnLedger(client, { hash, expected, network })
      const found = await landedAlready()
      if (found !== undefined) return found
      const submitted = await client.sendTransaction(parseTransaction(raw, network).transaction)
      if (submitted.status === 'ERROR') {
        const code = submitted.errorResult?.result().switch().name ?? ''
        // It may have landed between the two; else these are final: nothing makes it valid again.
        const landed = await landedAlready()
        if (landed !== undefined) return landed
        if (isFinal(code)) return expired(`The ledger does not take it any more: ${code}.`, undefined)
        return { status: 'unknown', problem: unknown(undefined) }
      }
      await client.pollTransaction(hash, {
        attempts: looks.attempts,
        sleepStrategy: () => looks.pollIntervalMs,
      })
      return (await landedAlready()) ?? { status: 'unknown', problem: unknown(undefined) }
    },
  }
}

/** What an error means for the transfer; errors that nobody foresaw go on. */
function outcomeOf(error: unknown, isSent: boolean): Outcome {
  if (!(error instanceof StellarSettlementError)) throw error
  const { resultCode: code, shortMessage } = error
  if (code === 'NOT_FOUND' || code === 'TRY_AGAIN_LATER')
    return { status: 'unknown', problem: unknown(error) }
  if (isSent) return failed(shortMessage, error)
  if (isFinal(code)) return expired(shortMessage, error)
  return { ...failed(shortMessage, error), status: 'refused' }
}

function unknown(cause: unknown) {
  return problem(
    'UNAVAILABLE',
    'The ledger has not taken the transaction yet. Send the same again: it is never paid twice.',
    { cause },
  )
}

function failed(words: string, cause: unknown) {
  return {
    status: 'failed' as const,
    problem: problem('SIMULATION_FAILED', words, {
      cause,
      details: {
        revertReason: words,
        ...(cause instanceof StellarSettlementError && { error: { name: cause.resultCode } }),
      },
    }),
  }
}

function expired(words: string, cause: unknown) {
  return {
    status: 'expired' as const,
    problem: problem('PERMIT_EXPIRED', `${words} Prepare the transfer again: POST /sandbox/usdc-transfer.`, {
      cause,
    }),
  }
}

/** A call that takes the amount from the customer and passes it to the destination. */
function expectedCall(
  request: TransferRequest,
  call: NonNullable<TransferRequest['call']>,
): ExpectedTransaction {
  const { wallet: from, sponsor, destination: to, cents } = request
  return { kind: 'call', from, sponsor, ...call, spends: { to, amount: amountOf(cents) } }
}

/** Stellar's USDC has 7 decimals. */
function amountOf(cents: number): bigint {
  return centsToAmount(cents) * 10n
}

function isScVal(arg: string): boolean {
  try {
    return xdr.ScVal.fromXDR(arg, 'base64').toXDR('base64') === arg
  } catch {
    return false
  }
}

/** Result codes after which a transaction can never land: its sequence number is used, or its time is over. */
function isFinal(code: string): boolean {
  return code === 'txBadSeq' || code === 'txTooLate'
}

async function outcomeOnLedger(
  client: rpc.Server,
  options: { hash: string; expected: ExpectedTransaction; network: StellarNetwork },
): Promise<Outcome | undefined> {
  const { hash } = options
  const landed = await client.getTransaction(hash)
  if (landed.status === 'FAILED') return failed(`The transaction ${hash} failed on the ledger.`, undefined)
  if (landed.status !== 'SUCCESS') return undefined
  return movedUsdc(landed, options)
    ? { status: 'settled' }
    : failed(`The transaction ${hash} landed and did not pay.`, undefined)
}

/** Bigints as decimal text. */
function format(value: object): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? one.toString() : one))
}

function parse(text: string): Facts {
  // Written by `format` above.
  const { transaction, expected } = JSON.parse(text) as Facts
  return {
    transaction,
    expected:
      expected.kind === 'payment'
        ? { ...expected, amount: BigInt(expected.amount) }
        : {
            ...expected,
            ...(expected.spends && {
              spends: { ...expected.spends, amount: BigInt(expected.spends.amount) },
            }),
          },
  }
}
