import {
  Address,
  type Asset,
  hash,
  nativeToScVal,
  scValToBigInt,
  scValToNative,
  xdr,
} from '@stellar/stellar-sdk'
import type { Authorizer, Call } from './authorizer.ts'
import { HostError } from './hostError.ts'
import { accountLedgerKey, contractDataLedgerKey, trustlineLedgerKey } from './ledgerEntries.ts'
import { type LedgerState, trustlineKey } from './state.ts'

/** What a contract written in TypeScript can do. */
export type ContractContext = {
  /** The contract's own address. */
  self: string
  ledger: { sequence: number; timestamp: number }
  /** Fails unless this address has authorized the running call. */
  requireAuth: (address: string) => void
  /** Calls another contract, as this one. */
  call: (contract: string, functionName: string, args: readonly xdr.ScVal[]) => xdr.ScVal
  /** Moves USDC through its asset contract. Raw units of 7 decimals. */
  transferUsdc: (from: string, to: string, amount: bigint) => void
  get: (key: xdr.ScVal) => xdr.ScVal | undefined
  set: (key: xdr.ScVal, value: xdr.ScVal) => void
  /** Publishes an event. */
  emit: (topics: readonly xdr.ScVal[], data: xdr.ScVal) => void
  /** Fails the whole call with an error number of the contract. */
  fail: (code: number) => never
}

/** A contract function: takes the arguments of the call, returns its value. */
export type ContractFunction = (context: ContractContext, ...args: xdr.ScVal[]) => xdr.ScVal | undefined

/** The contracts that a ledger knows. */
export type ContractTable = ReadonlyMap<string, Readonly<Record<string, ContractFunction>>>

/** What one call read, wrote and published. */
export type HostResult = {
  returnValue: xdr.ScVal
  events: xdr.ContractEvent[]
  reads: ReadonlyMap<string, xdr.LedgerKey>
  writes: ReadonlyMap<string, xdr.LedgerKey>
}

const maxDepth = 20

/**
 * Runs a contract call on a state, with an authorizer that decides what is authorized.
 *
 * @throws {@link HostError}; the state is then to be dropped
 */
export function invokeContract(options: invokeContract.Options): HostResult {
  const { state, contracts, authorizer, ledger } = options
  const usdc = options.usdc.toString()
  const usdcContract = options.usdc.contractId(options.networkPassphrase)
  const reads = new Map<string, xdr.LedgerKey>()
  const writes = new Map<string, xdr.LedgerKey>()
  const events: xdr.ContractEvent[] = []
  const frames: Call[] = []

  const touch = (key: xdr.LedgerKey, isWrite: boolean) => {
    ;(isWrite ? writes : reads).set(key.toXDR('base64'), key)
  }
  const emit = (contract: string, topics: readonly xdr.ScVal[], data: xdr.ScVal) => {
    events.push(
      new xdr.ContractEvent({
        ext: new xdr.ExtensionPoint(0),
        // The event's contract id has the layout of the address' hash.
        contractId: Address.fromString(contract).toScAddress().contractId(),
        type: xdr.ContractEventType.contract(),
        body: new xdr.ContractEventBody(0, new xdr.ContractEventV0({ topics: [...topics], data })),
      }),
    )
  }
  const requireAuth = (address: string) => {
    const caller = frames.at(-2)
    if (caller?.contract === address) return
    for (const nonce of authorizer.require(address, frames)) touch(nonce, true)
  }
  const fail = (code: number): never => {
    throw new HostError(`HostError: Error(Contract, #${code})`)
  }

  const balanceKey = (contract: string) =>
    contractDataLedgerKey(
      usdcContract,
      xdr.ScVal.scvVec([xdr.ScVal.scvSymbol('Balance'), addressValue(contract)]),
    )
  const balanceOf = (address: string): bigint => {
    if (address.startsWith('C')) {
      const key = balanceKey(address)
      touch(key, false)
      const stored = state.contractData.get(key.toXDR('base64'))
      const amount = stored === undefined ? 0n : scValToNative(xdr.ScVal.fromXDR(stored, 'base64')).amount
      return BigInt(amount)
    }
    touch(trustlineLedgerKey(address, usdc), false)
    return state.trustlines.get(trustlineKey(address, usdc))?.balance ?? fail(13)
  }
  const move = (address: string, amount: bigint) => {
    // The issuer has no balance: what it sends is made, what it gets is gone.
    if (address === options.usdc.getIssuer()) return
    if (address.startsWith('C')) {
      const key = balanceKey(address)
      touch(key, true)
      const balance = balanceOf(address) + amount
      if (balance < 0n) fail(10)
      const value = nativeToScVal(
        { amount: balance, authorized: true, clawback: false },
        { type: { amount: ['symbol', 'i128'], authorized: ['symbol'], clawback: ['symbol'] } },
      )
      state.contractData.set(key.toXDR('base64'), value.toXDR('base64'))
      return
    }
    if (!state.accounts.has(address)) {
      touch(accountLedgerKey(address), false)
      fail(6)
    }
    touch(trustlineLedgerKey(address, usdc), true)
    const line = state.trustlines.get(trustlineKey(address, usdc)) ?? fail(13)
    if (!line.authorized) fail(11)
    const balance = line.balance + amount
    if (balance < 0n || balance > line.limit) fail(10)
    line.balance = balance
  }
  const assetContract: Readonly<Record<string, ContractFunction>> = {
    transfer(_, from, to, value) {
      const [sender, receiver] = [readAddress(from), readAddress(to)]
      const amount = readAmount(value)
      if (amount < 0n) fail(8)
      requireAuth(sender)
      move(sender, -amount)
      move(receiver, amount)
      emit(
        usdcContract,
        [
          xdr.ScVal.scvSymbol('transfer'),
          addressValue(sender),
          addressValue(receiver),
          xdr.ScVal.scvString(usdc),
        ],
        i128(amount),
      )
      return undefined
    },
    balance: (_, id) => i128(balanceOf(readAddress(id))),
    decimals: () => xdr.ScVal.scvU32(7),
    symbol: () => xdr.ScVal.scvString(options.usdc.getCode()),
    name: () => xdr.ScVal.scvString(usdc),
  }

  const run = (contract: string, functionName: string, args: readonly xdr.ScVal[]): xdr.ScVal => {
    if (frames.length >= maxDepth || frames.some((frame) => frame.contract === contract))
      throw new HostError('HostError: Error(Context, InvalidAction): contract re-entry is not allowed')
    touch(contractDataLedgerKey(contract, xdr.ScVal.scvLedgerKeyContractInstance()), false)
    const functions = contract === usdcContract ? assetContract : contracts.get(contract)
    if (functions === undefined)
      throw new HostError(`HostError: Error(Storage, MissingValue): no contract ${contract}`)
    const target = Object.hasOwn(functions, functionName) ? functions[functionName] : undefined
    if (target === undefined)
      throw new HostError(`HostError: Error(WasmVm, MissingValue): no function ${functionName}`)
    frames.push({ contract, functionName, args: args.map((arg) => arg.toXDR('base64')) })
    authorizer.enter()
    const stored = (key: xdr.ScVal, isWrite: boolean) => {
      const ledgerKey = contractDataLedgerKey(contract, key)
      touch(ledgerKey, isWrite)
      return ledgerKey.toXDR('base64')
    }
    const context: ContractContext = {
      self: contract,
      ledger,
      requireAuth,
      call: run,
      transferUsdc: (from, to, amount) => {
        run(usdcContract, 'transfer', [addressValue(from), addressValue(to), i128(amount)])
      },
      get: (key) => {
        const value = state.contractData.get(stored(key, false))
        return value === undefined ? undefined : xdr.ScVal.fromXDR(value, 'base64')
      },
      set: (key, value) => {
        state.contractData.set(stored(key, true), value.toXDR('base64'))
      },
      emit: (topics, data) => emit(contract, topics, data),
      fail,
    }
    const returned = target(context, ...args) ?? xdr.ScVal.scvVoid()
    authorizer.leave()
    frames.pop()
    return returned
  }

  let returnValue: xdr.ScVal
  try {
    const { contract, functionName, args } = options.call
    returnValue = run(contract, functionName, args)
  } catch (error) {
    if (error instanceof HostError) throw error
    throw new HostError(`HostError: Error(WasmVm, InvalidAction): ${String(error)}`, { cause: error })
  }
  for (const key of writes.keys()) reads.delete(key)
  return { returnValue, events, reads, writes }
}

export declare namespace invokeContract {
  type Options = {
    state: LedgerState
    contracts: ContractTable
    usdc: Asset
    networkPassphrase: string
    authorizer: Authorizer
    ledger: { sequence: number; timestamp: number }
    call: { contract: string; functionName: string; args: readonly xdr.ScVal[] }
  }
}

/** The instance entry of a contract, made up: there is no Wasm here. */
export function contractInstance(contract: string, isAsset: boolean): xdr.ScVal {
  return xdr.ScVal.scvContractInstance(
    new xdr.ScContractInstance({
      executable: isAsset
        ? xdr.ContractExecutable.contractExecutableStellarAsset()
        : xdr.ContractExecutable.contractExecutableWasm(hash(Buffer.from(`simulated ${contract}`))),
      storage: null,
    }),
  )
}

function addressValue(address: string): xdr.ScVal {
  return Address.fromString(address).toScVal()
}

function i128(amount: bigint): xdr.ScVal {
  return nativeToScVal(amount, { type: 'i128' })
}

function readAddress(value: xdr.ScVal | undefined): string {
  if (value?.switch().name !== 'scvAddress')
    throw new HostError('HostError: Error(Value, UnexpectedType): not an address')
  return Address.fromScVal(value).toString()
}

function readAmount(value: xdr.ScVal | undefined): bigint {
  if (value?.switch().name !== 'scvI128')
    throw new HostError('HostError: Error(Value, UnexpectedType): not an i128')
  return scValToBigInt(value)
}
