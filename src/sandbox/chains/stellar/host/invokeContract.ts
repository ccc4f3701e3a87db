import { Address, xdr } from '@stellar/stellar-sdk'
import { instanceLedgerKey } from '../entries/ledgerKeys.ts'
import type { Contract, ContractContext } from './contract.ts'
import { addressValue, i128Value } from './contractValues.ts'
import type { Host } from './createHost.ts'
import { prices } from './createMeter.ts'
import { createWasmContract } from './createWasmContract.ts'
import { HostError } from './hostError.ts'
import { requireAuth } from './requireAuth.ts'

const maxDepth = 20

/**
 * Calls a function of a contract.
 *
 * @throws {@link HostError}, and whatever a declared function throws
 */
export function invokeContract(
  host: Host,
  contract: string,
  functionName: string,
  args: readonly xdr.ScVal[],
): xdr.ScVal {
  const { frames, authorizer } = host
  if (frames.length >= maxDepth || frames.some((frame) => frame.contract === contract))
    throw new HostError('HostError: Error(Context, InvalidAction): contract re-entry is not allowed')
  host.meter.charge(prices.call)
  const functions = findContract(host, contract)
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

/**
 * Calls a contract for a transaction or another contract: what begins with two underscores is the host's alone to call.
 *
 * @throws {@link HostError}
 */
export function invokeFromOutside(
  host: Host,
  contract: string,
  functionName: string,
  args: readonly xdr.ScVal[],
): xdr.ScVal {
  if (functionName.startsWith('__'))
    throw new HostError(`HostError: Error(Context, InvalidAction): ${functionName} is reserved`)
  return invokeContract(host, contract, functionName, args)
}

function findContract({ declared, footprint, storage, meter }: Host, contract: string): Contract {
  footprint.touch(instanceLedgerKey(contract), false)
  const own = declared.get(contract)
  if (own !== undefined) return own
  const executable = storage.instanceOf(contract)?.executable()
  if (executable?.switch().name !== 'contractExecutableWasm')
    throw new HostError(`HostError: Error(Storage, MissingValue): no contract ${contract}`)
  const code = storage.readCode(executable.wasmHash())
  meter.charge(code.length * prices.codeByte)
  return createWasmContract(code)
}

/** What the running contract can do. */
function contextOf(host: Host, contract: string): ContractContext {
  const { storage, ledger } = host
  /** A contract that catches what failed does not go on with half of it done: there is nothing to catch a trap with. */
  const lasting =
    <args extends unknown[], result>(work: (...args: args) => result) =>
    (...args: args): result => {
      if (host.trap !== undefined) throw host.trap.error
      try {
        host.meter.charge(prices.hostFunction)
        return work(...args)
      } catch (error) {
        host.trap = { error }
        throw error
      }
    }
  return {
    self: contract,
    ledger,
    requireAuth: lasting((address) => requireAuth(host, address)),
    call: lasting((other, functionName, args) => invokeFromOutside(host, other, functionName, args)),
    transferUsdc: lasting((from, to, amount) => {
      const args = [addressValue(from), addressValue(to), i128Value(amount)]
      invokeContract(host, host.usdcContract, 'transfer', args)
    }),
    get: lasting((key, durability) => storage.get(contract, key, durability)),
    set: lasting((key, value, durability) => storage.set(contract, key, value, durability)),
    emit: lasting((topics, data) => {
      host.meter.charge(prices.event)
      host.events.push(contractEvent(contract, topics, data))
    }),
    fail: lasting((code) => {
      throw new HostError(`HostError: Error(Contract, #${code})`)
    }),
  }
}

function contractEvent(contract: string, topics: readonly xdr.ScVal[], data: xdr.ScVal): xdr.ContractEvent {
  return new xdr.ContractEvent({
    ext: new xdr.ExtensionPoint(0),
    // The event's contract id has the layout of the address' hash.
    contractId: Address.fromString(contract).toScAddress().contractId(),
    type: xdr.ContractEventType.contract(),
    body: new xdr.ContractEventBody(0, new xdr.ContractEventV0({ topics: [...topics], data })),
  })
}
