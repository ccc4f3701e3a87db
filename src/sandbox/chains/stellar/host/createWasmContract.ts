import { runInNewContext } from 'node:vm'
import { Address, xdr } from '@stellar/stellar-sdk'
import { protocolVersion } from '../entries/state.ts'
import type { Contract, ContractContext, Durability } from './contract.ts'
import { BudgetError, HostError } from './hostError.ts'
import { decodeContractError, decodeValue, encodeValue } from './wasmValues.ts'

type Frame = { context: ContractContext; objects: xdr.ScVal[] }
type HostFunction = (frame: Frame, ...args: bigint[]) => bigint

const maxWasmBytes = 131_072
/** Stands for the network's limit of instructions, which is not counted here. */
const maxCallMs = 1000
const voidBits = 2n
const durabilities: Partial<Record<string, Durability>> = { 0: 'temporary', 1: 'persistent', 2: 'instance' }

const value = (frame: Frame, bits = 0n) => decodeValue(bits, frame.objects)
const list = (frame: Frame, bits = 0n) => {
  const items = value(frame, bits)
  if (items.switch().name !== 'scvVec') throw unexpected('a vector')
  return items.vec() ?? []
}
const address = (frame: Frame, bits = 0n) => {
  const holder = value(frame, bits)
  if (holder.switch().name !== 'scvAddress') throw unexpected('an address')
  return Address.fromScVal(holder).toString()
}
const durability = (bits = -1n): Durability => {
  const kind = durabilities[String(bits)]
  if (kind === undefined) throw unexpected('a kind of storage')
  return kind
}

/**
 * The host functions that a contract may import, by module and name, as protocol 20 and later number them
 * (`env.json` of Stellar's rs-soroban-env). Few of many: what a contract that takes payments needs.
 */
const hostFunctions: Readonly<Record<string, HostFunction>> = {
  /** `require_auth(address)` */
  'a.0': (frame, holder) => {
    frame.context.requireAuth(address(frame, holder))
    return voidBits
  },
  /** `call(contract, function, arguments)` */
  'd._': (frame, contract, name, args) => {
    const symbol = value(frame, name)
    if (symbol.switch().name !== 'scvSymbol') throw unexpected('a symbol')
    const returned = frame.context.call(address(frame, contract), symbol.sym().toString(), list(frame, args))
    return encodeValue(returned, frame.objects)
  },
  /** `vec_new()` */
  'v._': (frame) => encodeValue(xdr.ScVal.scvVec([]), frame.objects),
  /** `vec_push_back(vector, value)` */
  'v.6': (frame, items, item) =>
    encodeValue(xdr.ScVal.scvVec([...list(frame, items), value(frame, item)]), frame.objects),
  /** `put_contract_data(key, value, kind)` */
  'l._': (frame, key, stored, kind) => {
    frame.context.set(value(frame, key), value(frame, stored), durability(kind))
    return voidBits
  },
  /** `has_contract_data(key, kind)` */
  'l.0': (frame, key, kind) =>
    frame.context.get(value(frame, key), durability(kind)) === undefined ? 0n : 1n,
  /** `get_contract_data(key, kind)` */
  'l.1': (frame, key, kind) => {
    const stored = frame.context.get(value(frame, key), durability(kind))
    if (stored === undefined) throw new HostError('HostError: Error(Storage, MissingValue): no such entry')
    return encodeValue(stored, frame.objects)
  },
  /** `contract_event(topics, data)` */
  'x.1': (frame, topics, data) => {
    frame.context.emit(list(frame, topics), value(frame, data))
    return voidBits
  },
  /** `fail_with_error(error)` */
  'x.5': (frame, error) => {
    const code = decodeContractError(error ?? 0n)
    if (code === undefined) throw unexpected("a contract's error")
    return frame.context.fail(code)
  },
}

/**
 * Says why the network would not take this code.
 *
 * @throws {@link HostError}, also for code that the network takes and this simulation cannot run
 */
export function checkWasm(code: Uint8Array<ArrayBuffer>): void {
  if (code.length > maxWasmBytes) throw new BudgetError(`more than ${maxWasmBytes} bytes of Wasm`)
  if (!WebAssembly.validate(code)) throw invalidWasm('this is not a Wasm module')
  const module = new WebAssembly.Module(code)
  const [section] = WebAssembly.Module.customSections(module, 'contractenvmetav0')
  if (section === undefined) throw invalidWasm('the section contractenvmetav0 is missing')
  let protocol: number
  try {
    protocol = xdr.ScEnvMetaEntry.fromXDR(Buffer.from(section)).interfaceVersion().protocol()
  } catch {
    throw invalidWasm('the section contractenvmetav0 has another layout')
  }
  if (protocol > protocolVersion)
    throw invalidWasm(`it is built for protocol ${protocol}, the ledger has ${protocolVersion}`)
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module))
    if (kind !== 'function' || !Object.hasOwn(hostFunctions, `${from}.${name}`))
      throw invalidWasm(
        `this simulation has no host function ${from}.${name}; declare the contract to it instead`,
      )
}

/** A contract out of code that {@link checkWasm} has passed. Each call runs in an instance of its own, as on the network. */
export function createWasmContract(code: Uint8Array<ArrayBuffer>): Contract {
  const module = new WebAssembly.Module(code)
  const names = WebAssembly.Module.exports(module).flatMap(({ kind, name }) =>
    kind === 'function' ? [name] : [],
  )
  return Object.fromEntries(
    names.map((name) => [
      name,
      (context: ContractContext, ...args: xdr.ScVal[]) => {
        const frame: Frame = { context, objects: [] }
        const bits = args.map((arg) => encodeValue(arg, frame.objects))
        const returned = runLimited(() => {
          const exported = instantiate(module, frame).exports[name]
          if (typeof exported !== 'function' || exported.length !== args.length)
            throw new HostError(`HostError: Error(WasmVm, UnexpectedSize): ${name} takes other arguments`)
          return exported(...bits)
        })
        if (typeof returned !== 'bigint') throw unexpected('a returned value')
        return decodeValue(returned, frame.objects)
      },
    ]),
  )
}

function instantiate(module: WebAssembly.Module, frame: Frame): WebAssembly.Instance {
  const imports: Record<string, Record<string, (...args: bigint[]) => bigint>> = {}
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    const hostFunction = hostFunctions[`${from}.${name}`]
    if (hostFunction === undefined) throw invalidWasm(`no host function ${from}.${name}`)
    imports[from] ??= {}
    imports[from][name] = (...args: bigint[]) => hostFunction(frame, ...args)
  }
  return new WebAssembly.Instance(module, imports)
}

/** Runs code that may never end. */
function runLimited(run: () => unknown): unknown {
  try {
    return runInNewContext('run()', { run }, { timeout: maxCallMs })
  } catch (error) {
    if (Object(error).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new BudgetError('the call runs too long')
    throw error
  }
}

function unexpected(what: string): HostError {
  return new HostError(`HostError: Error(Value, UnexpectedType): not ${what}`)
}

function invalidWasm(message: string): HostError {
  return new HostError(`HostError: Error(WasmVm, InvalidAction): ${message}`)
}
