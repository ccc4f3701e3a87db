import type { xdr as Xdr } from '@stellar/stellar-sdk'
import { Address, Asset, scValToBigInt, xdr } from '../../../../redeemkit/stellar/sdk.ts'
import { instanceLedgerKey } from '../entries/ledgerKeys.ts'
import type { LedgerState } from '../entries/state.ts'
import { type AssetOptions, createAllowances, createBalances, failAsset } from './assetBalances.ts'
import type { Authorizer, Call } from './authorizer.ts'
import { addressValue, type Contract, type ContractContext, HostError, i128Value } from './contract.ts'
import { createStorage, type Footprint, recordFootprint, type Storage } from './createStorage.ts'

type Host = {
  ledger: { sequence: number; timestamp: number }
  authorizer: Authorizer
  footprint: Footprint
  storage: Storage
  contracts: ReadonlyMap<string, Contract>
  usdcContract: string
  events: Xdr.ContractEvent[]
  /** Outermost first. */
  frames: Call[]
  /** The first failure, which ends the whole call. */
  trap: { error: unknown } | undefined
}

export type HostResult = {
  returnValue: Xdr.ScVal
  events: Xdr.ContractEvent[]
  reads: ReadonlyMap<string, Xdr.LedgerKey>
  writes: ReadonlyMap<string, Xdr.LedgerKey>
}

export type ContractCall = { contract: string; functionName: string; args: readonly Xdr.ScVal[] }

export function runHostFunction(options: runHostFunction.Options): HostResult {
  const { contract, functionName, args } = options.call
  const host = createHost(options)
  try {
    const returnValue = invokeFromOutside(host, contract, functionName, args)
    if (host.trap !== undefined) throw host.trap.error
    const { events, footprint } = host
    return { returnValue, events, reads: footprint.reads(), writes: footprint.writes() }
  } catch (error) {
    if (error instanceof HostError) throw error
    throw new HostError(`HostError: Error(WasmVm, InvalidAction): ${String(error)}`, { cause: error })
  }
}

export declare namespace runHostFunction {
  type Options = {
    call: ContractCall
    state: LedgerState
    contracts: ReadonlyMap<string, Contract>
    usdc: Asset
    networkPassphrase: string
    authorizer: Authorizer
    ledger: { sequence: number; timestamp: number }
  }
}

function createHost(options: runHostFunction.Options): Host {
  const { state, usdc, networkPassphrase, authorizer, ledger } = options
  const footprint = recordFootprint()
  const { sequence } = ledger
  const assets = [usdc, Asset.native()].map((asset): [string, Contract] => {
    const contract = asset.contractId(networkPassphrase)
    return [contract, createAssetContract({ asset, contract, state, sequence, touch: footprint.touch })]
  })
  return {
    ledger,
    authorizer,
    footprint,
    storage: createStorage(state, sequence, footprint),
    contracts: new Map([...options.contracts, ...assets]),
    usdcContract: usdc.contractId(networkPassphrase),
    events: [],
    frames: [],
    trap: undefined,
  }
}

const maxDepth = 20

function invokeContract(
  host: Host,
  contract: string,
  functionName: string,
  args: readonly Xdr.ScVal[],
): Xdr.ScVal {
  const { frames, authorizer } = host
  if (frames.length >= maxDepth || frames.some((frame) => frame.contract === contract))
    throw new HostError('HostError: Error(Context, InvalidAction): contract re-entry is not allowed')
  host.footprint.touch(instanceLedgerKey(contract), false)
  const functions = host.contracts.get(contract)
  if (functions === undefined)
    throw new HostError(`HostError: Error(Storage, MissingValue): no contract ${contract}`)
  const target = Object.hasOwn(functions, functionName) ? functions[functionName] : undefined
  if (target === undefined)
    throw new HostError(`HostError: Error(WasmVm, MissingValue): no function ${functionName}`)
  frames.push({ contract, functionName, args: args.map((arg) => arg.toXDR('base64')) })
  authorizer.enter()
  const returned = target(contextOf(host, contract), ...args) ?? xdr.ScVal.scvVoid()
  authorizer.leave()
  frames.pop()
  return returned
}

/** Calls a contract for a transaction or another contract. Names with two leading underscores are reserved for the host. */
function invokeFromOutside(
  host: Host,
  contract: string,
  functionName: string,
  args: readonly Xdr.ScVal[],
): Xdr.ScVal {
  if (functionName.startsWith('__'))
    throw new HostError(`HostError: Error(Context, InvalidAction): ${functionName} is reserved`)
  return invokeContract(host, contract, functionName, args)
}

function contextOf(host: Host, contract: string): ContractContext {
  const { storage, ledger } = host
  /** A failure ends the whole call even if the calling contract catches the error, because contracts cannot catch a trap. */
  const trapping =
    <args extends unknown[], result>(work: (...args: args) => result) =>
    (...args: args): result => {
      if (host.trap !== undefined) throw host.trap.error
      try {
        return work(...args)
      } catch (error) {
        host.trap = { error }
        throw error
      }
    }
  return {
    self: contract,
    ledger,
    requireAuth: trapping((address) => requireAuth(host, address)),
    call: trapping((other, functionName, args) => invokeFromOutside(host, other, functionName, args)),
    transferUsdc: trapping((from, to, amount) => {
      const args = [addressValue(from), addressValue(to), i128Value(amount)]
      invokeContract(host, host.usdcContract, 'transfer', args)
    }),
    get: trapping((key, durability) => storage.get(contract, key, durability)),
    set: trapping((key, value, durability) => storage.set(contract, key, value, durability)),
    emit: trapping((topics, data) => {
      host.events.push(contractEvent(contract, topics, data))
    }),
    fail: trapping((code) => {
      throw new HostError(`HostError: Error(Contract, #${code})`)
    }),
  }
}

/** A contract authorizes the calls it makes itself. */
function requireAuth(host: Host, address: string): void {
  if (host.frames.at(-2)?.contract === address) return
  for (const nonce of host.authorizer.require(address, host.frames)) host.footprint.touch(nonce, true)
}

function contractEvent(contract: string, topics: readonly Xdr.ScVal[], data: Xdr.ScVal): Xdr.ContractEvent {
  return new xdr.ContractEvent({
    ext: new xdr.ExtensionPoint(0),
    contractId: Address.fromString(contract).toScAddress().contractId(),
    type: xdr.ContractEventType.contract(),
    body: new xdr.ContractEventBody(0, new xdr.ContractEventV0({ topics: [...topics], data })),
  })
}

/**
 * Creates the built-in contract of an asset or XLM (CAP-46-6), with the events of protocol 23 (CAP-67). Account balances are trustlines;
 * contract balances are entries of this contract.
 */
function createAssetContract(options: AssetOptions): Contract {
  const { asset } = options
  const balances = createBalances(options)
  const allowances = createAllowances(options)
  const issuer = asset.isNative() ? undefined : asset.getIssuer()
  const name = asset.isNative() ? 'native' : asset.toString()
  const emit = (context: ContractContext, topic: string, parties: readonly string[], data: Xdr.ScVal) =>
    context.emit([xdr.ScVal.scvSymbol(topic), ...parties.map(addressValue), xdr.ScVal.scvString(name)], data)
  const move = (
    context: ContractContext,
    { from, to, amount }: { from: string; to: string; amount: bigint },
  ) => {
    balances.move(from, -amount)
    balances.move(to, amount)
    // The issuer mints the tokens it sends and burns those it receives.
    if (from === issuer && to !== issuer) emit(context, 'mint', [to], i128Value(amount))
    else if (to === issuer && from !== issuer) emit(context, 'burn', [from], i128Value(amount))
    else emit(context, 'transfer', [from, to], i128Value(amount))
  }
  return {
    transfer(context, from, to, value) {
      const [sender, receiver, amount] = [readAddress(from), readAddress(to), readAmount(value)]
      context.requireAuth(sender)
      move(context, { from: sender, to: receiver, amount })
      return undefined
    },
    transfer_from(context, spender, from, to, value) {
      const parties = { spender: readAddress(spender), from: readAddress(from) }
      const [receiver, amount] = [readAddress(to), readAmount(value)]
      context.requireAuth(parties.spender)
      allowances.spend(parties, amount)
      move(context, { from: parties.from, to: receiver, amount })
      return undefined
    },
    approve(context, from, spender, value, until) {
      const parties = { from: readAddress(from), spender: readAddress(spender) }
      const [amount, liveUntil] = [readAmount(value), readU32(until)]
      context.requireAuth(parties.from)
      allowances.set(parties, { amount, liveUntil })
      const data = xdr.ScVal.scvVec([i128Value(amount), xdr.ScVal.scvU32(liveUntil)])
      emit(context, 'approve', [parties.from, parties.spender], data)
      return undefined
    },
    allowance: (_, from, spender) =>
      i128Value(allowances.of({ from: readAddress(from), spender: readAddress(spender) })),
    balance: (_, id) => i128Value(balances.of(readAddress(id))),
    authorized: (_, id) => xdr.ScVal.scvBool(balances.isAuthorized(readAddress(id))),
    decimals: () => xdr.ScVal.scvU32(7),
    symbol: () => xdr.ScVal.scvString(asset.isNative() ? 'native' : asset.getCode()),
    name: () => xdr.ScVal.scvString(name),
  }
}

function readAddress(value: Xdr.ScVal | undefined): string {
  if (value?.switch().name !== 'scvAddress') throw unexpected('an address')
  return Address.fromScVal(value).toString()
}

function readAmount(value: Xdr.ScVal | undefined): bigint {
  if (value?.switch().name !== 'scvI128') throw unexpected('an i128')
  const amount = scValToBigInt(value)
  return amount < 0n ? failAsset('negativeAmount') : amount
}

function readU32(value: Xdr.ScVal | undefined): number {
  if (value?.switch().name !== 'scvU32') throw unexpected('a u32')
  return value.u32()
}

function unexpected(what: string): HostError {
  return new HostError(`HostError: Error(Value, UnexpectedType): not ${what}`)
}
