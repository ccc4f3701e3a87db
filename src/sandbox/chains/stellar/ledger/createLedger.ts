import { createHash } from 'node:crypto'
import {
  Address,
  Asset,
  FeeBumpTransaction,
  SorobanDataBuilder,
  StrKey,
  type Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk'
import { BaseError } from '../../../../core/errors/baseError.ts'
import { showValue } from '../../../../core/errors/showValue.ts'
import type { Clock } from '../../../../core/time/clock.ts'
import { networkOf } from '../../../../stellar/index.ts'
import { applyOperation, baseAddress, type OperationOutcome, thresholdOf } from './applyOperation.ts'
import { enforcingAuthorizer, recordingAuthorizer } from './authorizer.ts'
import type { Contract } from './contract.ts'
import { HostError } from './hostError.ts'

import { accountEntry, readLedgerEntry } from './ledgerEntries.ts'
import { contractInstance, type HostFunction, type HostResult, runHostFunction } from './runHostFunction.ts'
import { type SignatureChecker, signatureChecker } from './signatureChecker.ts'
import {
  availableBalance,
  baseFee,
  baseReserve,
  copyState,
  createAccount,
  type LedgerState,
  trustlineKey,
} from './state.ts'

/** A transaction that was applied, successfully or not. */
export type AppliedTransaction = {
  hash: string
  isSuccessful: boolean
  ledger: number
  closedAt: number
  isFeeBump: boolean
  envelopeXdr: string
  resultXdr: string
  resultMetaXdr: string
  events: readonly xdr.ContractEvent[]
}

export type Submission =
  | { status: 'PENDING' | 'TRY_AGAIN_LATER'; hash: string }
  | { status: 'ERROR'; hash: string; result: xdr.TransactionResult }

export type Simulation =
  | { ok: false; error: string; events: readonly xdr.ContractEvent[] }
  | {
      ok: true
      transactionData: xdr.SorobanTransactionData
      minResourceFee: bigint
      auth: readonly xdr.SorobanAuthorizationEntry[]
      returnValue: xdr.ScVal
      events: readonly xdr.ContractEvent[]
    }

/** A Stellar ledger in memory. A simulation: see the README of this room for what it leaves out. */
export type Ledger = {
  readonly networkPassphrase: string
  readonly usdc: Asset
  latest: () => { sequence: number; closedAt: number }
  /** Puts an account, its XLM and its USDC there, out of nothing. */
  fund: (options: FundOptions) => void
  /** Declares a contract whose functions are TypeScript; returns its `C…` address. */
  declareContract: (functions: Contract, name?: string) => string
  balanceOf: (address: string) => { xlm: bigint; usdc: bigint | undefined }
  /** Closes empty ledgers. */
  closeLedgers: (count: number) => void
  readEntry: (key: xdr.LedgerKey) => xdr.LedgerEntryData | undefined
  simulate: (transactionXdr: string) => Simulation
  submit: (transactionXdr: string) => Submission
  find: (hash: string) => AppliedTransaction | undefined
  applied: () => readonly AppliedTransaction[]
}

export type FundOptions = {
  address: string
  /** Stroops to add. Default 100 XLM for a new account, 0 for an existing one. */
  xlm?: bigint | undefined
  /** Raw units of 7 decimals to add; makes the trustline when there is none. */
  usdc?: bigint | undefined
  /** The account's reserves are kept by somebody else, so that it needs no XLM at all. */
  sponsored?: boolean | undefined
  /** Limit of the trustline, when it is made. */
  limit?: bigint | undefined
  /** Whether the issuer has authorized the trustline. Default true. */
  authorized?: boolean | undefined
}

/** For how many ledgers a node knows what it has applied. */
const recentLedgers = 10
const int64Max = (1n << 63n) - 1n

/**
 * Makes an empty ledger on which USDC's issuer and its asset contract exist.
 *
 * Each submitted transaction closes a ledger of its own, at the time of the clock.
 */
export function createLedger(options: createLedger.Options = {}): Ledger {
  const network = networkOf('sandbox')
  const networkPassphrase = options.networkPassphrase ?? network.networkPassphrase
  const now = options.now ?? Date.now
  const usdc = new Asset(network.usdc.code, options.usdcIssuer ?? network.usdc.issuer)
  const usdcContract = usdc.contractId(networkPassphrase)
  const contracts = new Map<string, Contract>()
  const transactions = new Map<string, AppliedTransaction>()
  let nonce = BigInt(now())
  let sequence = 1000
  let closedAt = Math.floor(now() / 1000)
  let state: LedgerState = {
    accounts: new Map(),
    trustlines: new Map(),
    contractData: new Map(),
    code: new Map(),
    nonces: new Map(),
  }
  state.accounts.set(usdc.getIssuer(), createAccount(usdc.getIssuer(), 1_000n * 10_000_000n, 0n))

  const close = (count: number) => {
    sequence += count
    closedAt = Math.max(closedAt, Math.floor(now() / 1000))
  }

  const resourceFee = (footprint: xdr.LedgerFootprint) =>
    30_000n + 2_000n * BigInt(footprint.readOnly().length + footprint.readWrite().length)

  /** Everything that keeps a transaction off the ledger; undefined when nothing does. */
  const findRejection = (
    transaction: Transaction,
    on: LedgerState,
    isInner: boolean,
  ): Rejection | undefined => {
    const v1 = transactionXdrOf(transaction)
    const operations = v1.operations()
    if (operations.length === 0) return { code: 'txMissingOperation' }
    if (operations.length > 100) return { code: 'txMalformed' }
    const closing = BigInt(Math.max(closedAt, Math.floor(now() / 1000)))
    const { minTime, maxTime } = transaction.timeBounds ?? { minTime: '0', maxTime: '0' }
    const { minLedger, maxLedger } = transaction.ledgerBounds ?? { minLedger: 0, maxLedger: 0 }
    if (BigInt(minTime) > closing || minLedger > sequence + 1) return { code: 'txTooEarly' }
    if ((maxTime !== '0' && BigInt(maxTime) < closing) || (maxLedger > 0 && maxLedger <= sequence + 1))
      return { code: 'txTooLate' }

    const isContractCall = operations.some((op) => op.body().switch().name === 'invokeHostFunction')
    const soroban = sorobanDataOf(transaction)
    if (isContractCall !== (soroban !== undefined) || (isContractCall && operations.length !== 1))
      return { code: isContractCall ? 'txSorobanInvalid' : 'txMalformed' }
    // Nobody who authorizes the call inside would have signed the memo.
    if (isContractCall && transaction.memo.type !== 'none') return { code: 'txSorobanInvalid' }
    const fee = BigInt(transaction.fee)
    const declared = soroban?.resourceFee().toBigInt() ?? 0n
    if (soroban !== undefined) {
      if (declared < resourceFee(soroban.resources().footprint()) || declared > fee)
        return { code: 'txSorobanInvalid' }
    }
    if (!isInner && fee - declared < baseFee * BigInt(operations.length)) return { code: 'txInsufficientFee' }

    const source = on.accounts.get(baseAddress(v1.sourceAccount()))
    if (source === undefined) return { code: 'txNoAccount' }
    const minSequence =
      transaction.minAccountSequence === undefined ? undefined : BigInt(transaction.minAccountSequence)
    const next = BigInt(transaction.sequence)
    const fits =
      minSequence === undefined
        ? next === source.sequence + 1n
        : source.sequence >= minSequence && source.sequence < next
    if (!fits) return { code: 'txBadSeq' }
    if ((transaction.extraSigners?.length ?? 0) > 0) return { code: 'txNotSupported' }

    const checker = signatureChecker(transaction.signatures, transaction.hash())
    if (!checker.reaches(source, source.thresholds.low)) return { code: 'txBadAuth' }
    if (!isInner && availableBalance(source) < fee) return { code: 'txInsufficientBalance' }
    const outcomes = operations.map((op) => checkOperationSource(op, source.address, on, checker))
    if (outcomes.some((outcome) => !outcome.ok))
      return { code: 'txFailed', results: outcomes.map(({ result }) => result) }
    if (!checker.allUsed()) return { code: 'txBadAuthExtra' }
    return undefined
  }

  const findFeeBumpRejection = (
    bump: FeeBumpTransaction,
    on: LedgerState,
  ): Rejection | 'inner' | undefined => {
    const inner = bump.innerTransaction
    const count = BigInt(inner.operations.length)
    const resources = sorobanDataOf(inner)?.resourceFee().toBigInt() ?? 0n
    const [offered, innerFee] = [BigInt(bump.fee) - resources, BigInt(inner.fee) - resources]
    if (offered < baseFee * (count + 1n) || offered * count < innerFee * (count + 1n))
      return { code: 'txInsufficientFee' }
    const payer = on.accounts.get(baseAddress(bump.toEnvelope().feeBump().tx().feeSource()))
    if (payer === undefined) return { code: 'txNoAccount' }
    const checker = signatureChecker(bump.signatures, bump.hash())
    if (!checker.reaches(payer, payer.thresholds.low)) return { code: 'txBadAuth' }
    if (!checker.allUsed()) return { code: 'txBadAuthExtra' }
    if (availableBalance(payer) < BigInt(bump.fee)) return { code: 'txInsufficientBalance' }
    return findRejection(inner, on, true) === undefined ? undefined : 'inner'
  }

  const applyCall = (
    draft: LedgerState,
    operation: xdr.Operation,
    source: string,
    soroban: xdr.SorobanTransactionData,
    ledger: number,
  ): { outcome: OperationOutcome; host?: HostResult } => {
    const fail = (result: xdr.InvokeHostFunctionResult) => ({
      outcome: {
        ok: false,
        result: xdr.OperationResult.opInner(xdr.OperationResultTr.invokeHostFunction(result)),
      },
    })
    const hostFunction = hostFunctionOf(operation)
    if (hostFunction === undefined) return fail(xdr.InvokeHostFunctionResult.invokeHostFunctionMalformed())
    try {
      const host = runHostFunction({
        state: draft,
        contracts,
        usdc,
        networkPassphrase,
        ledger: { sequence: ledger, timestamp: closedAt },
        hostFunction,
        authorizer: enforcingAuthorizer({
          entries: operation.body().invokeHostFunctionOp().auth(),
          state: draft,
          source,
          networkPassphrase,
          sequence: ledger,
        }),
      })
      const footprint = soroban.resources().footprint()
      const writable = new Set(footprint.readWrite().map((key) => key.toXDR('base64')))
      const readable = new Set([...writable, ...footprint.readOnly().map((key) => key.toXDR('base64'))])
      if (
        [...host.writes.keys()].some((key) => !writable.has(key)) ||
        [...host.reads.keys()].some((key) => !readable.has(key))
      )
        throw new HostError('HostError: Error(Storage, ExceededLimit): an entry outside of the footprint')
      const success = new xdr.InvokeHostFunctionSuccessPreImage({
        returnValue: host.returnValue,
        events: host.events,
      })
      const result = xdr.InvokeHostFunctionResult.invokeHostFunctionSuccess(sha256(success.toXDR()))
      return {
        outcome: {
          ok: true,
          result: xdr.OperationResult.opInner(xdr.OperationResultTr.invokeHostFunction(result)),
        },
        host,
      }
    } catch (error) {
      if (!(error instanceof HostError)) throw error
      return fail(xdr.InvokeHostFunctionResult.invokeHostFunctionTrapped())
    }
  }

  const submit = (transactionXdr: string): Submission => {
    const parsed = parse(transactionXdr, networkPassphrase)
    const hash = parsed.hash().toString('hex')
    // What was applied lately is not looked at again; after that, its sequence number is used.
    const before = transactions.get(hash)
    if (before !== undefined && sequence - before.ledger < recentLedgers)
      return { status: 'TRY_AGAIN_LATER', hash }
    const bump = parsed instanceof FeeBumpTransaction ? parsed : undefined
    const transaction = parsed instanceof FeeBumpTransaction ? parsed.innerTransaction : parsed

    const bumpRejection = bump && findFeeBumpRejection(bump, state)
    if (bumpRejection !== undefined && bumpRejection !== 'inner')
      return { status: 'ERROR', hash, result: rejected(bumpRejection) }
    const rejection = findRejection(transaction, state, bump !== undefined)
    if (rejection !== undefined)
      return {
        status: 'ERROR',
        hash,
        result: bump === undefined ? rejected(rejection) : innerRejected(rejection, transaction.hash()),
      }

    close(1)
    const v1 = transactionXdrOf(transaction)
    const source = v1.sourceAccount()
    const soroban = sorobanDataOf(transaction)
    const count = BigInt(v1.operations().length + (bump === undefined ? 0 : 1))
    const charged = baseFee * count + (soroban?.resourceFee().toBigInt() ?? 0n)
    const payer = state.accounts.get(
      bump === undefined ? baseAddress(source) : baseAddress(bump.toEnvelope().feeBump().tx().feeSource()),
    )
    const sourceAccount = state.accounts.get(baseAddress(source))
    if (payer === undefined || sourceAccount === undefined) throw new Error('A validated account is gone.')
    // Fee and sequence are taken whether the operations succeed or not.
    payer.balance -= charged
    sourceAccount.sequence = BigInt(transaction.sequence)

    const draft = copyState(state)
    const results: xdr.OperationResult[] = []
    let isSuccessful = true
    let host: HostResult | undefined
    for (const operation of v1.operations()) {
      const address = baseAddress(operation.sourceAccount() ?? source)
      const account = draft.accounts.get(address)
      let outcome: OperationOutcome
      if (account === undefined) outcome = { ok: false, result: xdr.OperationResult.opNoAccount() }
      else if (soroban !== undefined) {
        const applied = applyCall(draft, operation, address, soroban, sequence)
        outcome = applied.outcome
        host = applied.host
      } else outcome = applyOperation(draft, operation, account, sequence)
      results.push(outcome.result)
      if (!outcome.ok) isSuccessful = false
    }
    if (isSuccessful) state = draft
    const events = (isSuccessful ? host?.events : undefined) ?? []
    const result =
      bump === undefined
        ? transactionResult(
            charged,
            isSuccessful
              ? xdr.TransactionResultResult.txSuccess(results)
              : xdr.TransactionResultResult.txFailed(results),
          )
        : transactionResult(charged, innerResult(isSuccessful, results, transaction.hash()))
    transactions.set(hash, {
      hash,
      isSuccessful,
      ledger: sequence,
      closedAt,
      isFeeBump: bump !== undefined,
      envelopeXdr: parsed.toEnvelope().toXDR('base64'),
      resultXdr: result.toXDR('base64'),
      resultMetaXdr: metaOf(isSuccessful ? host : undefined).toXDR('base64'),
      events,
    })
    return { status: 'PENDING', hash }
  }

  const simulate = (transactionXdr: string): Simulation => {
    const parsed = parse(transactionXdr, networkPassphrase)
    const transaction = parsed instanceof FeeBumpTransaction ? parsed.innerTransaction : parsed
    const v1 = transactionXdrOf(transaction)
    const [operation] = v1.operations()
    const hostFunction = operation && hostFunctionOf(operation)
    if (operation === undefined || hostFunction === undefined || v1.operations().length !== 1)
      return { ok: false, error: 'Transaction contains no single contract call to simulate.', events: [] }
    const draft = copyState(state)
    const source = baseAddress(operation.sourceAccount() ?? v1.sourceAccount())
    const given = operation.body().invokeHostFunctionOp().auth()
    const authorizer =
      given.length > 0
        ? enforcingAuthorizer({
            entries: given,
            state: draft,
            source,
            networkPassphrase,
            sequence: sequence + 1,
          })
        : recordingAuthorizer({
            source,
            nonce: () => {
              nonce += 1n
              return nonce
            },
          })
    try {
      const host = runHostFunction({
        state: draft,
        contracts,
        usdc,
        networkPassphrase,
        authorizer,
        hostFunction,
        ledger: { sequence: sequence + 1, timestamp: Math.floor(now() / 1000) },
      })
      const data = new SorobanDataBuilder()
        .setReadOnly([...host.reads.values()])
        .setReadWrite([...host.writes.values()])
        .setResources(1_000_000, 10_000, 10_000)
        .build()
      const minResourceFee = resourceFee(data.resources().footprint())
      data.resourceFee(new xdr.Int64(minResourceFee))
      return {
        ok: true,
        transactionData: data,
        minResourceFee,
        auth: authorizer.entries(),
        returnValue: host.returnValue,
        events: host.events,
      }
    } catch (error) {
      if (!(error instanceof HostError)) throw error
      return { ok: false, error: error.message, events: [] }
    }
  }

  return {
    networkPassphrase,
    usdc,
    latest: () => ({ sequence, closedAt }),
    closeLedgers: close,
    submit,
    simulate,
    find: (hash) => transactions.get(hash),
    applied: () => [...transactions.values()],
    readEntry: (key) =>
      readLedgerEntry(state, key, (contract) =>
        contract === usdcContract || contracts.has(contract)
          ? contractInstance(contract, contract === usdcContract)
          : undefined,
      ),
    balanceOf(address) {
      if (address.startsWith('C')) {
        const simulated = runHostFunction({
          state: copyState(state),
          contracts,
          usdc,
          networkPassphrase,
          authorizer: recordingAuthorizer({ source: '', nonce: () => 0n }),
          ledger: { sequence, timestamp: closedAt },
          hostFunction: {
            kind: 'invoke',
            contract: usdcContract,
            functionName: 'balance',
            args: [Address.fromString(address).toScVal()],
          },
        })
        const parts = simulated.returnValue.i128()
        return { xlm: 0n, usdc: (parts.hi().toBigInt() << 64n) + parts.lo().toBigInt() }
      }
      return {
        xlm: state.accounts.get(address)?.balance ?? 0n,
        usdc: state.trustlines.get(trustlineKey(address, usdc.toString()))?.balance,
      }
    },
    declareContract(functions, name = `contract ${contracts.size}`) {
      const contract = StrKey.encodeContract(sha256(Buffer.from(`redeemkit simulation: ${name}`)))
      if (contracts.has(contract))
        throw new LedgerError(`A contract named ${showValue(name)} is declared already.`, {
          field: 'name',
          fix: 'Give each contract another name.',
        })
      contracts.set(contract, functions)
      return contract
    },
    fund({ address, xlm, usdc: amount, sponsored = false, limit = int64Max, authorized = true }) {
      if (!StrKey.isValidEd25519PublicKey(address))
        throw new LedgerError(`${showValue(address, 60)} is not the address of an account.`, {
          field: 'address',
          fix: 'Fund accounts, G…; send USDC to contracts.',
        })
      let account = state.accounts.get(address)
      if (account === undefined) {
        close(1)
        account = createAccount(address, xlm ?? 1_000_000_000n, BigInt(sequence) << 32n)
        if (sponsored) account.sponsored = 2
        state.accounts.set(address, account)
      } else account.balance += xlm ?? 0n
      if (amount === undefined) return
      const key = trustlineKey(address, usdc.toString())
      const line = state.trustlines.get(key)
      if (line !== undefined) line.balance += amount
      else {
        state.trustlines.set(key, { balance: amount, limit, authorized })
        account.subEntries += 1
        if (sponsored) account.sponsored += 1
        else if (availableBalance(account) < 0n) account.balance += baseReserve
      }
    },
  }
}

export declare namespace createLedger {
  type Options = {
    /** Default: that of the test network, so that `environment: 'sandbox'` works on it. */
    networkPassphrase?: string | undefined
    /** Default: the issuer of USDC on the test network. */
    usdcIssuer?: string | undefined
    now?: Clock | undefined
  }
}

/** The meta of a friendbot's payment: the account that was created. */
export function createdAccountMeta(
  address: string,
  balance: bigint,
  sequence: bigint,
  ledger: number,
): string {
  const entry = new xdr.LedgerEntry({
    lastModifiedLedgerSeq: ledger,
    data: accountEntry(createAccount(address, balance, sequence)),
    ext: new xdr.LedgerEntryExt(0),
  })
  const operation = new xdr.OperationMetaV2({
    ext: new xdr.ExtensionPoint(0),
    changes: [xdr.LedgerEntryChange.ledgerEntryCreated(entry)],
    events: [],
  })
  return metaOf(undefined, [operation]).toXDR('base64')
}

type RejectionCode =
  | 'txMissingOperation'
  | 'txMalformed'
  | 'txTooEarly'
  | 'txTooLate'
  | 'txSorobanInvalid'
  | 'txInsufficientFee'
  | 'txNoAccount'
  | 'txBadSeq'
  | 'txNotSupported'
  | 'txBadAuth'
  | 'txInsufficientBalance'
  | 'txBadAuthExtra'
type Rejection = { code: RejectionCode } | { code: 'txFailed'; results: xdr.OperationResult[] }

function checkOperationSource(
  operation: xdr.Operation,
  source: string,
  state: LedgerState,
  checker: SignatureChecker,
): OperationOutcome {
  const muxed = operation.sourceAccount()
  const account = state.accounts.get(muxed ? baseAddress(muxed) : source)
  if (account === undefined) return { ok: false, result: xdr.OperationResult.opNoAccount() }
  const ok = checker.reaches(account, account.thresholds[thresholdOf(operation)])
  return { ok, result: xdr.OperationResult.opBadAuth() }
}

function rejected(rejection: Rejection): xdr.TransactionResult {
  return transactionResult(
    0n,
    rejection.code === 'txFailed'
      ? xdr.TransactionResultResult.txFailed(rejection.results)
      : xdr.TransactionResultResult[rejection.code](),
  )
}

function innerRejected(rejection: Rejection, hash: Buffer): xdr.TransactionResult {
  const inner =
    rejection.code === 'txFailed'
      ? xdr.InnerTransactionResultResult.txFailed(rejection.results)
      : xdr.InnerTransactionResultResult[rejection.code]()
  return transactionResult(0n, xdr.TransactionResultResult.txFeeBumpInnerFailed(innerPair(inner, hash)))
}

function innerResult(
  isSuccessful: boolean,
  results: xdr.OperationResult[],
  hash: Buffer,
): xdr.TransactionResultResult {
  return isSuccessful
    ? xdr.TransactionResultResult.txFeeBumpInnerSuccess(
        innerPair(xdr.InnerTransactionResultResult.txSuccess(results), hash),
      )
    : xdr.TransactionResultResult.txFeeBumpInnerFailed(
        innerPair(xdr.InnerTransactionResultResult.txFailed(results), hash),
      )
}

function innerPair(result: xdr.InnerTransactionResultResult, hash: Buffer): xdr.InnerTransactionResultPair {
  return new xdr.InnerTransactionResultPair({
    transactionHash: hash,
    result: new xdr.InnerTransactionResult({
      feeCharged: new xdr.Int64(0n),
      result,
      ext: new xdr.InnerTransactionResultExt(0),
    }),
  })
}

function transactionResult(feeCharged: bigint, result: xdr.TransactionResultResult): xdr.TransactionResult {
  return new xdr.TransactionResult({
    feeCharged: new xdr.Int64(feeCharged),
    result,
    ext: new xdr.TransactionResultExt(0),
  })
}

function metaOf(host: HostResult | undefined, operations: xdr.OperationMetaV2[] = []): xdr.TransactionMeta {
  return new xdr.TransactionMeta(
    4,
    new xdr.TransactionMetaV4({
      ext: new xdr.ExtensionPoint(0),
      txChangesBefore: [],
      operations:
        host === undefined
          ? operations
          : [
              new xdr.OperationMetaV2({
                ext: new xdr.ExtensionPoint(0),
                changes: [],
                events: [...host.events],
              }),
            ],
      txChangesAfter: [],
      sorobanMeta:
        host === undefined
          ? null
          : new xdr.SorobanTransactionMetaV2({
              ext: new xdr.SorobanTransactionMetaExt(0),
              returnValue: host.returnValue,
            }),
      events: [],
      diagnosticEvents: [],
    }),
  )
}

function parse(transactionXdr: string, networkPassphrase: string): Transaction | FeeBumpTransaction {
  try {
    return TransactionBuilder.fromXDR(transactionXdr, networkPassphrase)
  } catch (cause) {
    throw new LedgerError('The text is not a transaction.', {
      field: 'transaction',
      cause,
      fix: 'Send base64 XDR of a TransactionEnvelope.',
    })
  }
}

/** The transaction inside, in its present layout, also when the envelope is of the old one. */
function transactionXdrOf(transaction: Transaction): xdr.Transaction {
  const envelope = transaction.toEnvelope()
  if (envelope.switch().name === 'envelopeTypeTx') return envelope.v1().tx()
  const old = envelope.v0().tx()
  return new xdr.Transaction({
    sourceAccount: xdr.MuxedAccount.keyTypeEd25519(old.sourceAccountEd25519()),
    fee: old.fee(),
    seqNum: old.seqNum(),
    cond: xdr.Preconditions.precondNone(),
    memo: old.memo(),
    operations: old.operations(),
    ext: new xdr.TransactionExt(0),
  })
}

function sorobanDataOf(transaction: Transaction): xdr.SorobanTransactionData | undefined {
  const ext = transactionXdrOf(transaction).ext()
  return ext.switch() === 1 ? ext.sorobanData() : undefined
}

function hostFunctionOf(operation: xdr.Operation): HostFunction | undefined {
  const body = operation.body()
  if (body.switch().name !== 'invokeHostFunction') return undefined
  const hostFunction = body.invokeHostFunctionOp().hostFunction()
  switch (hostFunction.switch().name) {
    case 'hostFunctionTypeInvokeContract': {
      const call = hostFunction.invokeContract()
      return {
        kind: 'invoke',
        contract: Address.fromScAddress(call.contractAddress()).toString(),
        functionName: call.functionName().toString(),
        args: call.args(),
      }
    }
    case 'hostFunctionTypeUploadContractWasm':
      return { kind: 'upload', code: hostFunction.wasm() }
    case 'hostFunctionTypeCreateContractV2':
      return { kind: 'create', creation: hostFunction.createContractV2() }
    default:
      return undefined
  }
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}

/** A ledger that was asked for something that cannot be. */
export class LedgerError extends BaseError {
  override readonly name = 'LedgerError'
}
