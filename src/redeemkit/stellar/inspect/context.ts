import type { rpc } from '@stellar/stellar-sdk'
import { type Clock, readClock } from '../../core/clock.ts'
import { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { oneLine } from '../../core/errors/oneLine.ts'
import { showValue } from '../../core/errors/showValue.ts'
import type { Finding } from '../../core/finding/finding.ts'
import type { FindingCode } from '../../core/finding/findingCatalogue.ts'
import { permitMaximumSeconds } from '../../core/limits.ts'
import type { AuthMessage, ChallengeTerms } from '../authMessage/parseAuthMessage.ts'
import type { Invocation } from '../envelope/authEntry.ts'
import { type Expectation, expectedInvocation } from '../expected.ts'
import { networkOf, type StellarEnvironment, type StellarNetwork } from '../networks.ts'
import { baseAddress, checkAddress, checkCount, checkStroops } from '../values.ts'

/** Fee and resources that a simulation returned. */
export type CallNeeds = Pick<rpc.Api.SimulateTransactionSuccessResponse, 'minResourceFee' | 'transactionData'>

/** Whether a value has a fee in stroops and the resources of a call, like the SDK's simulation response. */
export function isCallNeeds(value: unknown): value is CallNeeds {
  try {
    const { minResourceFee, transactionData } = value as CallNeeds // Untyped; checked before use.
    return (
      typeof minResourceFee === 'string' &&
      /^\d{1,19}$/.test(minResourceFee) &&
      transactionData.build().resources().instructions() >= 0
    )
  } catch {
    return false
  }
}

export type InspectOptions = ChallengeTerms & {
  environment: StellarEnvironment
  /** The wallet that would sign, `G…`. A sign-in challenge may also have a muxed account, `M…`. */
  address: string
  /** The exact content that a transaction or authorization must have. Any additional content is a danger. */
  expected?: Expectation | undefined
  /** Origin of the requesting page. A sign-in is compared with it. */
  origin?: string | undefined
  /** Names of addresses that the wallet or its user knows. */
  known?: Readonly<Record<string, string>> | undefined
  /** The latest ledger, needed to check the expiry of authorizations. Absent: an expiry cannot be checked. */
  latestLedger?: number | undefined
  /**
   * Your own simulation of the call: the response of the SDK's `simulateTransaction`. A request may declare up to 1.5 times each
   * simulated resource.
   */
  simulation?: CallNeeds | undefined
  /**
   * Maximum total fee, in stroops. Default with a simulation: 1.5 times the simulated resource fee, plus 0.1 XLM for
   * inclusion. Default without: 1 XLM, `10_000_000n`.
   */
  maxFee?: bigint | undefined
  /** Maximum validity in seconds. Default: the maximum of a credit permit, 3600. */
  maxValidForSeconds?: number | undefined
  now?: Clock | undefined
}

/** A decoded request. */
export type InspectDetails = {
  /** The fields of a sign-in text. */
  message?: AuthMessage
  /** Transaction hash on this network, in hex. Absent for an authorization. */
  hash?: string
  source?: string
  /** The payer of the fee bump, if any. */
  feeSource?: string | undefined
  /** The highest fee that can be charged, in stroops. */
  fee?: bigint
  sequence?: bigint
  memo?: string | undefined
  /** Unix seconds; 0 means no limit. */
  validUntil?: bigint
  operations?: readonly InspectedOperation[]
  authorizations: readonly InspectedAuthorization[]
}

/** The details of a transaction. For an authorization alone, the transaction's required fields are absent. */
export type TransactionDetails = InspectDetails &
  Required<Pick<InspectDetails, 'source' | 'fee' | 'sequence' | 'operations'>>

export type InspectedOperation = {
  /** The SDK's name of the operation: `payment`, `invokeHostFunction`, … */
  type: string
  source: string
  payment?: { to: string; asset: string; amount: bigint }
  call?: Invocation
  /** Description of a known operation that is neither a payment nor a call. */
  effect?: string
}

/** One authorization, with the calls that it allows. */
export type InspectedAuthorization = {
  /** The account that authorizes the calls. */
  address: string
  isSigned: boolean
  /** Delegates that sign for a contract account (CAP-71). */
  delegates?: readonly string[]
  validUntilLedger?: number
  invocation: Invocation
}

export type InspectionContext = Omit<InspectOptions, 'now' | 'maxValidForSeconds'> & {
  /** The address as the caller passed it: `M…` for a muxed account. */
  user: string
  network: StellarNetwork
  /** The call that `expected` describes. For a payment, this is the transfer of USDC's contract. */
  wanted: Invocation | undefined
  findings: Finding[]
  maxValidForSeconds: number
  now: Clock
}

export function createContext(options: InspectOptions): InspectionContext {
  const network = networkOf(options?.environment)
  const { expected } = options
  checkCount(options.latestLedger, 'latestLedger')
  checkCount(options.maxValidForSeconds, 'maxValidForSeconds')
  checkStroops(options.maxFee, 'maxFee')
  checkSimulation(options.simulation)
  const { address: user } = options
  const address = checkAddress(typeof user === 'string' ? baseAddress(user) : user, 'address')
  const wanted = expected === undefined ? undefined : expectedInvocation(expected, network)
  return {
    ...options,
    address,
    user,
    network,
    now: () => readClock(options.now),
    wanted,
    findings: [],
    maxValidForSeconds: options.maxValidForSeconds ?? Number(permitMaximumSeconds),
  }
}

function checkSimulation(simulation: CallNeeds | undefined): void {
  if (simulation !== undefined && !isCallNeeds(simulation))
    throw new InvalidOptionError(`simulation is ${showValue(simulation)}, which has no fee and resources.`, {
      field: 'simulation',
      fix: 'Pass the complete response of the SDK’s simulateTransaction, or omit it.',
    })
}

export function addDanger(
  context: InspectionContext,
  code: FindingCode,
  message: string,
  field?: string,
): void {
  context.findings.push({
    severity: 'danger',
    code,
    message: oneLine(message),
    field,
    fix: 'Do not sign it.',
  })
}

/** Compares a value with the expected one, and adds a danger if they differ. */
export function compare(
  context: InspectionContext,
  code: FindingCode,
  field: string,
  actual: unknown,
  expected: unknown,
  isRight: boolean = actual === expected,
): void {
  if (!isRight) addDanger(context, code, `${field} is ${actual} instead of ${expected}.`, field)
}

/** `networkPassphrase` came with the request. */
export function compareNetwork(context: InspectionContext, networkPassphrase: string | undefined): void {
  const own = context.network.networkPassphrase
  compare(context, 'WRONG_NETWORK', 'networkPassphrase', networkPassphrase ?? own, own)
}
